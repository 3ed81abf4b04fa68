import { Button, Group, Popover, Stack, TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useState } from 'react';
import { fromLocalText, localText, momentOf, SPANS, since } from './time-range.ts';

interface TimeFilterProps {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly change: (change: { from?: string | null; to?: string | null }) => void;
}

/** From when to when. */
export function TimeFilter({ from, to, change }: TimeFilterProps) {
  const [opened, setOpened] = useState(false);
  const words = rangeWords(from, to);
  const choose = (range: { from: string | null; to: string | null }) => {
    change(range);
    setOpened(false);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" withArrow trapFocus shadow="md" width={300}>
      <Popover.Target>
        <Button
          variant="default"
          fullWidth
          justify="flex-start"
          fw={400}
          leftSection={<IconCalendar size={16} aria-hidden />}
          title={words}
          onClick={() => setOpened(!opened)}
        >
          {words}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Time range">
        <Stack gap="sm">
          <Group gap="xs">
            {SPANS.map(({ label, seconds }) => (
              <Button
                key={label}
                variant="default"
                size="compact-sm"
                onClick={() => choose({ from: since(seconds, Date.now()), to: null })}
              >
                {label}
              </Button>
            ))}
          </Group>
          <TextInput
            type="datetime-local"
            label="Not before"
            value={localText(from)}
            onChange={(event) => change({ from: fromLocalText(event.currentTarget.value) })}
          />
          <TextInput
            type="datetime-local"
            label="Before"
            value={localText(to)}
            onChange={(event) => change({ to: fromLocalText(event.currentTarget.value) })}
          />
          <Button variant="default" size="compact-sm" onClick={() => choose({ from: null, to: null })}>
            Any time
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

const short = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' });

function rangeWords(from: string | undefined, to: string | undefined): string {
  const [start, end] = [momentOf(from), momentOf(to)].map((at) =>
    at === undefined ? null : short.format(new Date(at)),
  );
  if (start !== null && end !== null) return `${start} to ${end}`;
  if (start !== null) return `Since ${start}`;
  return end === null ? 'Any time' : `Before ${end}`;
}
