import { Select, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { NumberField } from '../../../ui/number-field.tsx';
import { WordsField } from '../../../ui/words-field.tsx';
import classes from './edit.module.css';
import { RULE_POINTERS } from './field-problems.ts';
import { HeaderRules } from './header-rules.tsx';
import { sizeProblem, type TrafficDraft, type TrafficRule } from './traffic-draft.ts';

interface RuleFieldProps {
  readonly rule: TrafficRule;
  readonly draft: TrafficDraft;
  /** What the coordinator says of a field of the rules on traffic: `limits/connections`. */
  readonly wrong: (field: string) => string | null;
  readonly onChange: (change: Partial<TrafficDraft>) => void;
}

const PERIODS = [
  { value: 's', label: 'second' },
  { value: 'm', label: 'minute' },
];
const COUNTED_BY = [
  { value: 'address', label: 'Address' },
  { value: 'identity', label: 'Identity, where one is known' },
];
const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

type Field = (props: Omit<RuleFieldProps, 'rule'> & { readonly at: string }) => ReactNode;

/** The field of each rule: the same for the whole ingress and for a path that overrides it. */
const FIELDS: Readonly<Record<TrafficRule, Field>> = {
  allow: ({ draft, wrong, at, onChange }) => (
    <WordsField
      label="Allowed networks"
      description="Only clients from these networks pass. Empty: clients from everywhere."
      placeholder="203.0.113.0/24"
      initial={draft.allow}
      choices={[]}
      error={wrong(at)}
      onChange={(allow) => onChange({ allow })}
    />
  ),
  deny: ({ draft, wrong, at, onChange }) => (
    <WordsField
      label="Denied networks"
      description="Clients from these networks never pass, even if they are allowed above."
      placeholder="198.51.100.0/24"
      initial={draft.deny}
      choices={[]}
      error={wrong(at)}
      onChange={(deny) => onChange({ deny })}
    />
  ),
  requests: ({ draft: { requests }, wrong, at, onChange }) => (
    <div className={classes.several}>
      <NumberField
        label="Request limit"
        description="Of one client address."
        placeholder="No limit"
        isRequired={false}
        min={1}
        max={999_999}
        value={requests.count}
        error={wrong(`${at}/rate`)}
        onChange={(count) => onChange({ requests: { ...requests, count } })}
      />
      <Select
        label="Per"
        description="How long it counts."
        allowDeselect={false}
        data={PERIODS}
        value={requests.per}
        onChange={(per) => onChange({ requests: { ...requests, per: per === 'm' ? 'm' : 's' } })}
      />
      <NumberField
        label="Burst"
        description="How many more at once."
        isRequired={!Number.isNaN(requests.count)}
        min={0}
        max={10_000}
        value={requests.burst}
        error={wrong(`${at}/burst`)}
        onChange={(burst) => onChange({ requests: { ...requests, burst } })}
      />
    </div>
  ),
  connections: ({ draft, wrong, at, onChange }) => (
    <NumberField
      label="Connection limit"
      description="How many one client address may have open at each gateway."
      placeholder="No limit"
      isRequired={false}
      min={1}
      max={65_535}
      value={draft.connections}
      error={wrong(at)}
      onChange={(connections) => onChange({ connections })}
    />
  ),
  by: ({ draft, wrong, at, onChange }) => (
    <Select
      label="Limits count by"
      description="Identity: a node of the mesh or a client certificate counts together, from every address."
      allowDeselect={false}
      data={COUNTED_BY}
      value={draft.by ?? 'address'}
      error={wrong(at)}
      onChange={(by) => onChange({ by: by === 'identity' ? 'identity' : 'address' })}
    />
  ),
  request_headers: ({ draft, wrong, at, onChange }) => (
    <HeaderRules
      label="Request headers"
      description="Set or removed on the way to the service."
      add="Add request header"
      headers={draft.request_headers}
      wrong={(field) => wrong(`${at}/${field}`)}
      onChange={(request_headers) => onChange({ request_headers })}
    />
  ),
  response_headers: ({ draft, wrong, at, onChange }) => (
    <HeaderRules
      label="Response headers"
      description="Set or removed on the way to the client."
      add="Add response header"
      headers={draft.response_headers}
      wrong={(field) => wrong(`${at}/${field}`)}
      onChange={(response_headers) => onChange({ response_headers })}
    />
  ),
  max_body: ({ draft, wrong, at, onChange }) => (
    <TextInput
      {...PLAIN}
      label="Largest request body"
      description="Such as 50 MB, 2 GiB, or bytes. Larger ones are refused with status 413."
      placeholder="Any size"
      value={draft.max_body}
      error={sizeProblem(draft.max_body) ?? wrong(at)}
      onChange={(event) => onChange({ max_body: event.currentTarget.value })}
    />
  ),
  connect_timeout_s: ({ draft, wrong, at, onChange }) => (
    <NumberField
      label="Connect timeout"
      description="How long a node may take to accept a connection."
      suffix=" s"
      min={1}
      max={60}
      value={draft.connect_timeout_s}
      error={wrong(at)}
      onChange={(connect_timeout_s) => onChange({ connect_timeout_s })}
    />
  ),
  idle_timeout_s: ({ draft, wrong, at, onChange }) => (
    <NumberField
      label="Idle timeout"
      description="How long a connection stays open without data."
      suffix=" s"
      min={1}
      max={86_400}
      value={draft.idle_timeout_s}
      error={wrong(at)}
      onChange={(idle_timeout_s) => onChange({ idle_timeout_s })}
    />
  ),
  compress: ({ draft, wrong, at, onChange }) => (
    <Switch
      label="Compress text with gzip"
      description="For clients that accept it. Leave it off for answers that mix secrets with input of others."
      checked={draft.compress}
      error={wrong(at)}
      onChange={(event) => onChange({ compress: event.currentTarget.checked })}
    />
  ),
};

export function RuleField({ rule, ...props }: RuleFieldProps) {
  const Shown = FIELDS[rule];
  return <Shown {...props} at={RULE_POINTERS[rule]} />;
}
