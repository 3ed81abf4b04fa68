import { Stack } from '@mantine/core';
import { DEFAULT_TRAFFIC } from '@meshwork/contract/vocabulary';
import { Folded } from '../../../ui/folded.tsx';
import { changesBetween } from '../changes.ts';
import type { IngressKind } from '../ingress-kinds.ts';
import { trafficLines } from '../traffic-words.ts';
import classes from './edit.module.css';
import { RULE_POINTERS } from './field-problems.ts';
import { overridesOf, type TrafficDraft, type TrafficOverrides, type TrafficRule } from './traffic-draft.ts';
import { RuleField } from './traffic-rule-field.tsx';

interface TrafficFieldsProps {
  readonly kind: IngressKind;
  readonly draft: TrafficDraft;
  readonly wrong: (field: string) => string | null;
  readonly onChange: (draft: TrafficDraft) => void;
}

interface Group {
  readonly title: string;
  /** What it comes to while nothing in it is changed. */
  readonly none: string;
  readonly rules: readonly TrafficRule[];
}

/** What an HTTP gateway sees. */
const HTTP_GROUPS: readonly Group[] = [
  { title: 'Access', none: 'Everyone, without limits', rules: ['allow', 'deny', 'requests', 'connections', 'by'] },
  { title: 'Headers', none: 'Unchanged', rules: ['request_headers', 'response_headers'] },
  {
    title: 'Requests',
    none: 'Bodies of any size, not compressed',
    rules: ['max_body', 'connect_timeout_s', 'idle_timeout_s', 'compress'],
  },
];
/** Where gateways do not look into what passes. */
const OTHER_GROUPS: readonly Group[] = [
  { title: 'Access', none: 'Everyone, without limits', rules: ['allow', 'deny', 'connections'] },
  { title: 'Timeouts', none: 'Defaults', rules: ['connect_timeout_s', 'idle_timeout_s'] },
];

/** The rules for everything that passes, in groups that are folded. */
export function TrafficFields({ kind, draft, wrong, onChange }: TrafficFieldsProps) {
  return (kind === 'http' ? HTTP_GROUPS : OTHER_GROUPS).map(({ title, none, rules }) => (
    <Folded
      key={title}
      title={title}
      summary={rulesSummary(draft, rules, none)}
      isOpenForced={rules.some((rule) => wrong(RULE_POINTERS[rule]) !== null)}
    >
      <Stack>
        {inPairs(rules).map((several) => (
          <div key={several.join(' ')} className={several.length > 1 ? classes.two : undefined}>
            {several.map((rule) => (
              <RuleField
                key={rule}
                rule={rule}
                draft={draft}
                wrong={wrong}
                onChange={(change) => onChange({ ...draft, ...change })}
              />
            ))}
          </div>
        ))}
      </Stack>
    </Folded>
  ));
}

/** Both timeouts stand beside each other. */
function inPairs(rules: readonly TrafficRule[]): readonly (readonly TrafficRule[])[] {
  const isTimeout = (rule: TrafficRule) => rule.endsWith('timeout_s');
  const [first] = rules.filter(isTimeout);
  return rules
    .filter((rule) => !isTimeout(rule) || rule === first)
    .map((rule) => (rule === first ? rules.filter(isTimeout) : [rule]));
}

function rulesSummary(draft: TrafficDraft, rules: readonly TrafficRule[], none: string): string {
  const chosen: TrafficOverrides = Object.fromEntries(rules.map((rule) => [rule, draft[rule]]));
  const lines = trafficLines(changesBetween(overridesOf(chosen), DEFAULT_TRAFFIC));
  return lines.length === 0 ? none : lines.map(({ label, text }) => `${label}: ${text}`).join(' · ');
}
