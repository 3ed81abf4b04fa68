import { Autocomplete, Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.tsx';

interface PortFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What shall be reached. Its services are suggested. */
  readonly to: string;
}

const PAUSE_MS = 300;

export function PortField({ value, onChange, to }: PortFieldProps) {
  const services = useServicesOf(to);
  const isService = to.startsWith('service:');
  return (
    <Autocomplete
      label="Port"
      description={isService ? 'Defined by the service' : 'Leave empty for ICMP (ping)'}
      placeholder={isService ? 'from service' : 'tcp:22'}
      value={value}
      onChange={onChange}
      data={[...services.keys(), ...(services.has('icmp') ? [] : ['icmp'])]}
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" flex={1}>
          <Text size="sm" ff="monospace">
            {option.value}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {services.get(option.value) ?? 'ping'}
          </Text>
        </Group>
      )}
      autoComplete="off"
      spellCheck={false}
      autoCapitalize="none"
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    />
  );
}

/** By `tcp:22`, the name of what listens there. */
function useServicesOf(to: string): ReadonlyMap<string, string> {
  const may = useMay();
  const [asked] = useDebouncedValue(to.trim(), PAUSE_MS);
  const isNode = asked !== '' && !asked.startsWith('service:');
  const found = useRead(
    'nodes.list',
    { query: { q: asked.slice(0, 100), limit: 20 } },
    { enabled: isNode && may('nodes:read') },
  );
  const node = found.data?.body.items.find(
    ({ id, name, address, address6 }) =>
      [id, name].includes(asked) || [address, address6].some((one) => one.startsWith(`${asked}/`)),
  );
  return new Map(node?.service_bindings.map(({ name, protocol, port }) => [`${protocol}:${port}`, name]));
}
