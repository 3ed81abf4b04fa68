import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { ApiError } from '@meshwork/client';
import type { FirewallRule } from '@meshwork/contract';
import { useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { notify } from '../../../ui/notify.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { RuleFields } from './rule-fields.tsx';
import { formOf, NEW_RULE, patchOf, type RuleForm, ruleOf } from './rule-form.ts';
import { RulePreview } from './rule-preview.tsx';
import { ruleWords } from './rule-words.ts';
import { useCutOffGuard } from './use-cut-off-guard.tsx';
import { etagOf } from './use-rule-changes.ts';

export type EditedRule =
  | { readonly kind: 'new' }
  /** `copy`: a new rule that begins as this one. */
  | { readonly kind: 'edit' | 'copy'; readonly rule: FirewallRule };

interface RuleDialogProps {
  readonly edited: EditedRule;
  /** All rules, in the order in effect. */
  readonly rules: readonly FirewallRule[];
  readonly onClose: () => void;
}

const LAST = 'last';

/** Makes a rule or changes one, and says what that would mean before it is done. */
export function RuleDialog({ edited, rules, onClose }: RuleDialogProps) {
  const isNew = edited.kind !== 'edit';
  const [form, setForm] = useState<RuleForm>(edited.kind === 'new' ? NEW_RULE : formOf(edited.rule));
  const [before, setBefore] = useState<string>(LAST);
  const save = useSaveRule(edited, rules);
  const place = isNew ? placeBefore(rules, before) : rules.findIndex(({ id }) => id === edited.rule.id);
  const submit = async () => {
    if (await save.run(form, before === LAST ? null : before)) onClose();
  };
  return (
    <Modal opened onClose={onClose} title={titleOf(edited)} size="xl">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Stack>
          <RuleFields
            form={form}
            onChange={(change) => setForm((now) => ({ ...now, ...change }))}
            errorOf={(field) => errorOf(save.error, field)}
          />
          {isNew && rules.length > 0 && (
            <Select
              label="Position"
              description="Earlier rules are evaluated first"
              data={[
                { value: LAST, label: 'Last' },
                ...rules.map((rule) => ({
                  value: rule.id,
                  label: `Before rule ${rule.position + 1}: ${rule.action} ${ruleWords(rule)}`,
                })),
              ]}
              value={before}
              allowDeselect={false}
              searchable
              onChange={(id) => setBefore(id ?? LAST)}
            />
          )}
          <RulePreview form={form} rules={rules} place={place} isNew={isNew} />
          {save.error !== null && <ProblemNotice error={save.error} />}
          {save.isBehind && (
            <Text size="sm">Another person changed this rule. Saving again overwrites their changes.</Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isRunning} disabled={form.nodes.length === 0}>
              {isNew ? 'Add rule' : save.isBehind ? 'Overwrite' : 'Save'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function useSaveRule(edited: EditedRule, rules: readonly FirewallRule[]) {
  const touches = ['nodes', 'acls'];
  const guard = useCutOffGuard(rules.map(({ id }) => id));
  const create = useAction('firewall.create', { quiet: true, touches });
  const update = useAction('firewall.update', { quiet: true, touches });
  const action = edited.kind === 'edit' ? update : create;
  // A refusal because agents would be cut off is asked about in a dialog of its own.
  const error = action.error instanceof ApiError && action.error.code === 'firewall_cuts_off' ? null : action.error;
  const isBehind = error instanceof ApiError && error.code === 'revision_mismatch';
  const send = (form: RuleForm, before: string | null, force: boolean) => {
    const forced = force ? { force } : {};
    if (edited.kind !== 'edit') return create.run({ body: { ...ruleOf(form), before, ...forced } });
    // After a conflict the list was refetched, and the dialog says that saving overwrites.
    const known = isBehind ? (rules.find(({ id }) => id === edited.rule.id) ?? edited.rule) : edited.rule;
    return update.run({
      params: { id: edited.rule.id },
      body: { ...patchOf(form), ...forced },
      if_match: etagOf(known),
    });
  };
  return {
    isRunning: create.isRunning || update.isRunning,
    error,
    isBehind,
    /** True: it is done. False: it was not meant, or something is wrong that the dialog shows. */
    run: async (form: RuleForm, before: string | null): Promise<boolean> => {
      try {
        const done = await guard((force) => send(form, before, force));
        if (done) notify.done(edited.kind === 'edit' ? 'Rule saved' : 'Rule added');
        return done;
      } catch (failure) {
        if (failure instanceof ApiError) return false;
        throw failure;
      }
    },
  };
}

function titleOf(edited: EditedRule): string {
  return edited.kind === 'edit' ? `Edit rule ${edited.rule.position + 1}` : 'New rule';
}

function placeBefore(rules: readonly FirewallRule[], before: string): number {
  const place = rules.findIndex(({ id }) => id === before);
  return place < 0 ? rules.length : place;
}

/** All errors of a field of a rule. `at`: where in the request the rule stands. Undefined: none. */
function errorOf(error: unknown, field: string, at = ''): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const pointer = `${at}/${field}`;
  const own = error.errors.filter((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`));
  return own.length === 0 ? undefined : own.map(({ detail }) => detail).join(' ');
}
