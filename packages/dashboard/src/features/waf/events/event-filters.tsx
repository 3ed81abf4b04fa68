import { Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { useRead } from '../../../api/queries.ts';
import { useMay } from '../../../session/session.tsx';
import { WAF_VERDICT_LOOKS } from '../../../ui/state.tsx';
import { TimeFilter } from '../../../ui/time-filter.tsx';
import classes from '../waf.module.css';

export const EVENT_FILTERS = ['policy', 'ingress', 'route', 'rule', 'address', 'verdict', 'from', 'to'] as const;
export type Filters = Readonly<Partial<Record<(typeof EVENT_FILTERS)[number], string>>>;
export type Change = (change: Partial<Record<(typeof EVENT_FILTERS)[number], string | null>>) => void;

const VERDICTS = (['blocked', 'detected', 'scored'] as const).map((value) => ({
  value,
  label: WAF_VERDICT_LOOKS[value].word,
}));
/** As many as one answer has. */
const LOOKED_AT = 200;

export function EventFilters({ filters, change }: { readonly filters: Filters; readonly change: Change }) {
  const policies = useRead('waf.list', { query: { limit: LOOKED_AT } });
  const maySee = useMay()('ingress:read');
  const ingresses = useRead('ingress.list', { query: { limit: LOOKED_AT } }, { enabled: maySee });
  return (
    <search aria-label="Filter events" className={classes.filters}>
      <Chosen
        label="Policy"
        items={policies.data?.body.items ?? []}
        value={filters.policy}
        onChange={(policy) => change({ policy })}
      />
      <Chosen
        label="Ingress"
        items={ingresses.data?.body.items ?? []}
        value={filters.ingress}
        onChange={(ingress) => change({ ingress })}
      />
      <Select
        aria-label="Verdict"
        placeholder="Any verdict"
        clearable
        data={VERDICTS}
        value={filters.verdict ?? null}
        onChange={(verdict) => change({ verdict })}
      />
      <Typed label="Rule" numeric value={filters.rule ?? ''} onChange={(rule) => change({ rule })} />
      <Typed label="Address or network" value={filters.address ?? ''} onChange={(address) => change({ address })} />
      <TimeFilter from={filters.from} to={filters.to} change={change} />
    </search>
  );
}

interface ChosenProps {
  readonly label: string;
  readonly items: readonly { readonly id: string; readonly name: string }[];
  readonly value: string | undefined;
  readonly onChange: (value: string | null) => void;
}

function Chosen({ label, items, value, onChange }: ChosenProps) {
  const known = items.map(({ id, name }) => ({ value: id, label: name }));
  const isKnown = value === undefined || known.some((one) => one.value === value);
  return (
    <Select
      aria-label={label}
      placeholder={`Any ${label.toLowerCase()}`}
      clearable
      searchable
      data={isKnown ? known : [...known, { value, label: value }]}
      value={value ?? null}
      onChange={onChange}
    />
  );
}

interface TypedProps {
  readonly label: string;
  readonly numeric?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const PAUSE_MS = 300;

/** Reports what is typed when typing pauses, and follows changes from outside. */
function Typed({ label, numeric = false, value, onChange }: TypedProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const tell = useDebouncedCallback((text: string) => {
    setKnown(text);
    onChange(text);
  }, PAUSE_MS);
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      autoComplete="off"
      spellCheck={false}
      {...(numeric ? { inputMode: 'numeric' as const } : {})}
      value={typed}
      onChange={(event) => {
        const text = numeric ? event.currentTarget.value.replaceAll(/\D/g, '') : event.currentTarget.value.trim();
        setTyped(text);
        tell(text);
      }}
    />
  );
}
