import {
  Autocomplete,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useId } from 'react';
import { useMeshWords } from '../../../mesh/mesh-words.ts';
import classes from './rule-fields.module.css';
import { hasPorts, type RuleForm } from './rule-form.ts';

interface RuleFieldsProps {
  readonly form: RuleForm;
  readonly onChange: (change: Partial<RuleForm>) => void;
  readonly errorOf: (field: string) => string | undefined;
}

const ACTIONS = {
  accept: 'Later rules are skipped. Traffic through the mesh still needs a grant.',
  drop: 'Blocked even if the policy grants it. Open connections are closed.',
  log: 'Logs each new connection, then continues with the next rule.',
} as const;
const DIRECTIONS = [
  { value: 'in', label: 'In: to the host' },
  { value: 'out', label: 'Out: from the host' },
  { value: 'forward', label: 'Forward: through the host' },
];
const PROTOCOLS = ['any', 'tcp', 'udp', 'icmp'];
const PERIODS = ['second', 'minute', 'hour'];
const wholeOrNull = (value: string | number) => (typeof value === 'number' ? value : null);

/** Everything that a rule says. */
export function RuleFields({ form, onChange, errorOf }: RuleFieldsProps) {
  const words = useMeshWords();
  const actionId = useId();
  return (
    <>
      <div>
        <Text size="sm" fw={500} id={actionId} mb={4}>
          Action
        </Text>
        <SegmentedControl
          aria-labelledby={actionId}
          data={[
            { value: 'accept', label: 'Accept' },
            { value: 'drop', label: 'Drop' },
            { value: 'log', label: 'Log' },
          ]}
          value={form.action}
          onChange={(action) => onChange({ action: action as RuleForm['action'] })}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {ACTIONS[form.action]}
        </Text>
      </div>
      <TagsInput
        label="Nodes"
        description="Applies to: * for all, tag:role:git, node:git-1 or scope:platform/git/*"
        value={[...form.nodes]}
        error={errorOf('nodes')}
        data={['*', ...words.tags.map((tag) => `tag:${tag}`), ...words.scopes.map((scope) => `scope:${scope}`)]}
        limit={60}
        acceptValueOnBlur
        required
        onChange={(nodes) => onChange({ nodes })}
      />
      <div className={classes.pair}>
        <Select
          label="Direction"
          description="Of the side that opens the connection"
          data={DIRECTIONS}
          value={form.direction}
          allowDeselect={false}
          onChange={(direction) => onChange({ direction: (direction ?? 'in') as RuleForm['direction'] })}
        />
        <Autocomplete
          label="Interface"
          description="any, mesh or a name"
          data={['any', 'mesh', 'eth0']}
          value={form.interface}
          error={errorOf('interface')}
          maxLength={15}
          onChange={(name) => onChange({ interface: name })}
        />
        <Select
          label="Protocol"
          description="icmp includes ICMPv6"
          data={PROTOCOLS}
          value={form.protocol}
          allowDeselect={false}
          onChange={(protocol) => onChange({ protocol: (protocol ?? 'any') as RuleForm['protocol'] })}
        />
        <TagsInput
          label="Ports"
          description={hasPorts(form.protocol) ? '22, 8000-8999. Leave empty for all' : 'Only tcp and udp have ports'}
          value={hasPorts(form.protocol) ? [...form.ports] : []}
          error={errorOf('ports')}
          disabled={!hasPorts(form.protocol)}
          acceptValueOnBlur
          onChange={(ports) => onChange({ ports })}
        />
        <TagsInput
          label="From"
          description="Source networks. Leave empty for any"
          placeholder={form.from.length === 0 ? '198.51.100.0/24' : undefined}
          value={[...form.from]}
          error={errorOf('from')}
          acceptValueOnBlur
          onChange={(from) => onChange({ from })}
        />
        <TagsInput
          label="To"
          description="Destination networks. Leave empty for any"
          placeholder={form.to.length === 0 ? '10.20.0.0/16' : undefined}
          value={[...form.to]}
          error={errorOf('to')}
          data={[...words.networks]}
          acceptValueOnBlur
          onChange={(to) => onChange({ to })}
        />
      </div>
      {form.action !== 'drop' && (
        <Group gap="xs" align="flex-end">
          <NumberInput
            label="Rate limit"
            description="New connections. Leave empty for no limit"
            value={form.rate.count ?? ''}
            error={errorOf('rate')}
            min={1}
            max={100_000}
            allowDecimal={false}
            w="9rem"
            onChange={(count) => onChange({ rate: { ...form.rate, count: wholeOrNull(count) } })}
          />
          <Select
            label="Per"
            data={PERIODS}
            value={form.rate.per}
            allowDeselect={false}
            w="8rem"
            onChange={(per) => onChange({ rate: { ...form.rate, per: (per ?? 'minute') as RuleForm['rate']['per'] } })}
          />
          <NumberInput
            label="Burst"
            description="Empty: 5"
            value={form.rate.burst ?? ''}
            min={1}
            max={10_000}
            allowDecimal={false}
            disabled={form.rate.count === null}
            w="7rem"
            onChange={(burst) => onChange({ rate: { ...form.rate, burst: wholeOrNull(burst) } })}
          />
        </Group>
      )}
      <TextInput
        label="Note"
        description="Why this rule exists"
        value={form.note}
        maxLength={500}
        onChange={(event) => onChange({ note: event.currentTarget.value })}
      />
      <Switch
        label="Enabled"
        description="A disabled rule is kept without effect"
        checked={form.enabled}
        onChange={(event) => onChange({ enabled: event.currentTarget.checked })}
      />
    </>
  );
}
