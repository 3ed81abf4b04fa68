import { ActionIcon, Select, Stack } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { Folded } from '../../../ui/folded.tsx';
import { trafficLines } from '../traffic-words.ts';
import classes from './edit.module.css';
import { RULE_POINTERS } from './field-problems.ts';
import {
  newTraffic,
  overridesOf,
  TRAFFIC_RULES,
  type TrafficDraft,
  type TrafficOverrides,
  type TrafficRule,
} from './traffic-draft.ts';
import { RuleField } from './traffic-rule-field.tsx';

interface RouteOverridesProps {
  /** The path. */
  readonly of: string;
  readonly overrides: TrafficOverrides;
  /** The rules of the ingress, which an override begins with. */
  readonly inherited: TrafficDraft;
  readonly wrong: (field: string) => string | null;
  readonly onChange: (overrides: TrafficOverrides) => void;
}

const NAMES: Readonly<Record<TrafficRule, string>> = {
  allow: 'Allowed networks',
  deny: 'Denied networks',
  requests: 'Request limit',
  connections: 'Connection limit',
  by: 'Limits count by',
  request_headers: 'Request headers',
  response_headers: 'Response headers',
  max_body: 'Largest request body',
  connect_timeout_s: 'Connect timeout',
  idle_timeout_s: 'Idle timeout',
  compress: 'Compression',
};

/** Rules that are otherwise on one path. Only those that it overrides are shown, and any other can be added. */
export function RouteOverrides({ of, overrides, inherited, wrong, onChange }: RouteOverridesProps) {
  const shown = TRAFFIC_RULES.filter((rule) => overrides[rule] !== undefined);
  const others = TRAFFIC_RULES.filter((rule) => overrides[rule] === undefined);
  const add = (rule: TrafficRule) => onChange({ ...overrides, [rule]: inherited[rule] });
  const remove = (rule: TrafficRule) => {
    const { [rule]: _, ...rest } = overrides;
    onChange(rest);
  };
  return (
    <Folded
      title="Traffic rules"
      label={`Traffic rules of ${of}`}
      summary={summaryOf(overrides)}
      isOpenForced={TRAFFIC_RULES.some((rule) => wrong(RULE_POINTERS[rule]) !== null)}
    >
      <Stack>
        {shown.map((rule) => (
          <div key={rule} className={classes.override}>
            <RuleField
              rule={rule}
              draft={{ ...newTraffic(), ...overrides }}
              wrong={wrong}
              onChange={(change) => onChange({ ...overrides, ...change })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Do not override: ${NAMES[rule]}`}
              onClick={() => remove(rule)}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </div>
        ))}
        {others.length > 0 && (
          <Select
            aria-label={`Override a rule for ${of}`}
            placeholder="Override a rule…"
            maw="20rem"
            data={others.map((rule) => ({ value: rule, label: NAMES[rule] }))}
            value={null}
            onChange={(value) => {
              const rule = others.find((one) => one === value);
              if (rule !== undefined) add(rule);
            }}
          />
        )}
      </Stack>
    </Folded>
  );
}

function summaryOf(overrides: TrafficOverrides): string {
  const lines = trafficLines(overridesOf(overrides));
  return lines.length === 0
    ? 'As for the whole ingress'
    : lines.map(({ label, text }) => `${label}: ${text}`).join(' · ');
}
