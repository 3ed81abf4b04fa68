import type { EditorView } from '@codemirror/view';
import { Stack } from '@mantine/core';
import type { Policy } from '@meshwork/contract';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useMeshWords } from '../../mesh/mesh-words.ts';
import { useMay, useSession } from '../../session/session.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { useFilters } from '../../ui/filters.ts';
import { CheckPanel } from './check-panel.tsx';
import { ConflictDialog } from './draft/conflict-dialog.tsx';
import { useDraft } from './draft/use-draft.ts';
import { goTo, insertText, replaceText } from './editor/editing.ts';
import { startFind } from './editor/find-panel.ts';
import { PolicyEditor } from './editor/policy-editor.tsx';
import { AddGrantDialog } from './grant/add-grant-dialog.tsx';
import { readSuggestion } from './grant/suggestion.ts';
import { LapsedGrants } from './lapsed-grants.tsx';
import { type Merging, Notices } from './notices.tsx';
import { ReviewDialog } from './review/review-dialog.tsx';
import { useSavePolicy } from './review/use-save-policy.ts';
import { groupsOf } from './text/groups.ts';
import { mergeTexts } from './text/merge-texts.ts';
import { Toolbar } from './toolbar.tsx';
import { useValidation } from './use-validation.ts';
import classes from './workbench.module.css';

interface WorkbenchProps {
  /** The policy in effect. */
  readonly policy: Policy;
  readonly etag: string;
}

type Dialog = 'grant' | 'review' | 'conflict';

/** Where the policy is written: text, what is wrong with it, what it would change, and how to put it into effect. */
export function Workbench({ policy, etag }: WorkbenchProps) {
  const { user } = useSession();
  const readOnly = !useMay()('acls:write');
  const confirm = useConfirm();
  const words = useMeshWords();
  const draft = useDraft(user.id, { version: policy.version, etag, text: policy.text });
  const checked = useValidation(draft.text);
  const view = useRef<EditorView>(null);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [merging, setMerging] = useState<Merging | null>(null);
  const [{ suggest }, setFilters] = useFilters(['suggest']);
  const close = () => setDialog(null);
  const save = useSavePolicy({
    saved: () => {
      close();
      setMerging(null);
      draft.drop();
    },
    conflicted: () => setDialog('conflict'),
  });
  useLeaveGuard(draft.is_changed);

  // Without a draft the editor follows the policy in effect.
  useEffect(() => {
    if (!draft.is_changed && view.current !== null) replaceText(view.current, policy.text);
  }, [draft.is_changed, policy.text]);

  const suggested = suggest === undefined ? null : readSuggestion(suggest, groupsOf(draft.text));
  const isAdding = dialog === 'grant' || suggested !== null;
  const doneAdding = () => {
    close();
    if (suggest !== undefined) setFilters({ suggest: null });
  };

  /** What both changed in different places fits together by itself; the rest is shown between the lines. */
  const merge = () => {
    const { text, conflicts } = mergeTexts(draft.base.text, policy.text, draft.text);
    close();
    setMerging({ theirs: policy.text, conflicts });
    draft.rebase();
    if (view.current !== null) replaceText(view.current, text);
  };

  const discard = async () => {
    const consequence = 'The editor goes back to the saved policy. You can undo this while the page is open.';
    if (!(await confirm({ title: 'Discard your changes?', consequence, action: 'Discard', danger: true }))) return;
    setMerging(null);
    draft.drop();
  };

  return (
    <>
      <Notices
        policy={policy}
        draft={draft}
        readOnly={readOnly}
        merging={merging}
        onCompare={() => setDialog('conflict')}
        onMerged={() => setMerging(null)}
      />
      <div className={classes.columns}>
        <Stack gap="xs" miw={0}>
          <Toolbar
            readOnly={readOnly}
            draft={draft}
            checked={checked}
            onAddGrant={() => setDialog('grant')}
            onFind={() => view.current !== null && startFind(view.current)}
            onDiscard={() => void discard()}
            onReview={() => setDialog(draft.is_behind ? 'conflict' : 'review')}
          />
          <PolicyEditor
            initial={draft.text}
            onChange={draft.change}
            readOnly={readOnly}
            words={words}
            faults={checked.faults}
            other={merging?.theirs ?? null}
            view={view}
          />
        </Stack>
        <Stack gap="md" miw={0}>
          <CheckPanel
            text={draft.text}
            checked={checked}
            onGo={({ line, column }) => view.current !== null && goTo(view.current, line, column)}
          />
          <LapsedGrants policy={policy} />
        </Stack>
      </div>
      {isAdding && (
        <AddGrantDialog
          text={draft.text}
          words={words}
          suggested={suggested}
          readOnly={readOnly}
          onClose={doneAdding}
          onInsert={(insertions) => {
            doneAdding();
            if (view.current !== null) insertText(view.current, insertions);
          }}
        />
      )}
      {dialog === 'review' && (
        <ReviewDialog
          title="Review changes"
          action="Save policy"
          before={draft.base.text}
          after={draft.text}
          isRunning={save.isRunning}
          error={save.error}
          onClose={close}
          onSave={(note) => void save.run({ text: draft.text, etag: draft.base.etag, note })}
        />
      )}
      {dialog === 'conflict' && draft.is_behind && (
        <ConflictDialog
          theirs={policy}
          base={draft.base.text}
          mine={draft.text}
          onClose={close}
          onTakeTheirs={() => {
            close();
            setMerging(null);
            draft.drop();
          }}
          onMerge={merge}
          onOverwrite={() => {
            draft.rebase();
            setDialog('review');
          }}
        />
      )}
    </>
  );
}

/** Asks before a person leaves with unsaved changes. Not between the pages of the policy, where the draft is a click away. */
function useLeaveGuard(isChanged: boolean): void {
  const confirm = useConfirm();
  useBlocker({
    shouldBlockFn: async ({ next }) => {
      if (!isChanged || next.pathname.startsWith('/access') || next.pathname === '/sign-in') return false;
      const leaves = await confirm({
        title: 'Leave without saving?',
        consequence:
          'Your changes are not in effect. They stay in this tab until you save or discard them, and are lost when you close it.',
        action: 'Leave',
      });
      return !leaves;
    },
    enableBeforeUnload: isChanged,
  });
}
