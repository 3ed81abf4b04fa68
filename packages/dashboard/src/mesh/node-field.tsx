import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useRead } from '../api/queries.ts';
import { useMay } from '../session/session.tsx';

interface NodeFieldProps
  extends Pick<AutocompleteProps, 'label' | 'description' | 'placeholder' | 'error' | 'required' | 'onOptionSubmit'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Services may be named too: `service:git-ssh`. */
  readonly services?: boolean;
}

const PAUSE_MS = 200;
/** More are found by typing on. */
const SHOWN = 20;

/** A node by its name, from all there are. What is not on the list can be typed as well. */
export function NodeField({ value, onChange, services = false, ...shown }: NodeFieldProps) {
  const may = useMay();
  const [asked] = useDebouncedValue(value.trim(), PAUSE_MS);
  const byService = services && asked.startsWith('service:');
  const q = byService ? '' : asked.slice(0, 100);
  const found = useRead(
    'nodes.list',
    { query: { ...(q === '' ? {} : { q }), limit: byService ? 200 : SHOWN } },
    { enabled: may('nodes:read'), keep: true },
  );
  const nodes = found.data?.body.items ?? [];
  const names = byService ? [] : nodes.map(({ name }) => name);
  const offered = services ? [...new Set(nodes.flatMap((node) => node.services))].map((name) => `service:${name}`) : [];
  const data = [
    ...(names.length === 0 ? [] : [{ group: 'Nodes', items: names }]),
    ...(offered.length === 0 ? [] : [{ group: 'Services', items: offered.slice(0, SHOWN) }]),
  ];
  return (
    <Autocomplete
      {...shown}
      value={value}
      onChange={onChange}
      data={data}
      // The coordinator has looked already, also in addresses, which are not shown.
      filter={({ options }) => options}
      maxDropdownHeight={320}
      autoComplete="off"
      spellCheck={false}
      autoCapitalize="none"
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    />
  );
}
