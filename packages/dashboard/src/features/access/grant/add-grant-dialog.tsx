import { Button, Checkbox, Code, Group, Modal, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { MeshWords } from '../../../mesh/mesh-words.ts';
import { groupsOf } from '../text/groups.ts';
import { type Insertion, insertGrant, oneLine } from '../text/insert-grant.ts';
import classes from './add-grant-dialog.module.css';
import { EndField } from './end-field.tsx';
import { type BuiltGrant, buildGrant, EMPTY_FORM, type GrantForm } from './new-grant.ts';

interface AddGrantDialogProps {
  readonly text: string;
  readonly words: MeshWords;
  /** What another page suggested. Null: nothing. */
  readonly suggested: GrantForm | null;
  /** True: without permission to change the policy, the dialog only shows what to add. */
  readonly readOnly: boolean;
  readonly onClose: () => void;
  readonly onInsert: (insertions: readonly Insertion[]) => void;
}

export function AddGrantDialog({ text, words, suggested, readOnly, onClose, onInsert }: AddGrantDialogProps) {
  const [form, setForm] = useState(suggested ?? EMPTY_FORM);
  const [tried, setTried] = useState(false);
  const groups = groupsOf(text);
  const built = buildGrant(form, groups);
  const insertions = built.ok ? insertGrant(text, built) : undefined;
  const change = (some: Partial<GrantForm>) => setForm((now) => ({ ...now, ...some }));
  const errors = tried && !built.ok ? built.errors : {};
  return (
    <Modal opened onClose={onClose} title={readOnly ? 'Suggested grant' : 'Add grant'} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (insertions !== undefined && !readOnly) onInsert(insertions);
        }}
      >
        <Stack>
          <div className={classes.ends}>
            <EndField
              label="From"
              description="A group, tag:…, node:… or scope:…"
              value={form.from}
              error={errors.from}
              groups={groups}
              words={words}
              onChange={(from) => change({ from })}
            />
            <EndField
              label="To"
              description="The same, or a network such as 10.20.0.0/16"
              value={form.to}
              error={errors.to}
              groups={groups}
              words={words}
              networks
              onChange={(to) => change({ to })}
            />
          </div>
          <TagsInput
            label="Allow"
            description="tcp:22, udp:53, tcp:8000-8999, icmp, or * for everything"
            value={[...form.allow]}
            error={errors.allow}
            data={[...new Set(['icmp', ...words.ports.keys(), 'tcp:22', 'tcp:443', '*'])]}
            limit={40}
            acceptValueOnBlur
            onChange={(allow) => change({ allow })}
          />
          <Checkbox
            label="Only within the same boundary (team, surface and environment)"
            checked={form.within_boundary}
            onChange={(event) => change({ within_boundary: event.currentTarget.checked })}
          />
          <div className={classes.ends}>
            <TextInput
              type="datetime-local"
              label="Until"
              description="Leave empty for no expiry"
              value={form.expires}
              error={errors.expires}
              onChange={(event) => change({ expires: event.currentTarget.value })}
            />
            <TextInput
              label="Note"
              description="Shown in the policy"
              value={form.note}
              maxLength={2000}
              onChange={(event) => change({ note: event.currentTarget.value })}
            />
          </div>
          {readOnly && <Text size="sm">You cannot change the policy. Send this to someone who can.</Text>}
          <WhatIsAdded built={built} fits={insertions !== undefined} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {readOnly ? 'Close' : 'Cancel'}
            </Button>
            {!readOnly && (
              <Button type="submit" disabled={built.ok && insertions === undefined}>
                Add to policy
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function WhatIsAdded({ built, fits }: { readonly built: BuiltGrant; readonly fits: boolean }) {
  if (!built.ok) return null;
  const groups = Object.entries(built.groups).map(
    ([name, selectors]) => `${JSON.stringify(name)}: ${oneLine(selectors)}`,
  );
  return (
    <Stack gap={4}>
      <Text size="sm" c="dimmed">
        {fits
          ? 'This is added to the policy. It takes effect when you save:'
          : 'The policy has syntax errors. Fix them first; this would be added:'}
      </Text>
      <Code block className={classes.code}>
        {[...groups, oneLine(built.grant)].join('\n')}
      </Code>
    </Stack>
  );
}
