import { Alert, Button, Group, SegmentedControl, Stack, Textarea } from '@mantine/core';
import { ApiError } from '@meshwork/client';
import type { Scope, WafPolicy } from '@meshwork/contract';
import { IconAlertCircle } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { ButtonLink } from '../../../ui/anchor-link.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { Section } from '../../../ui/section.tsx';
import classes from './edit.module.css';
import { bodyOf, changesOf, draftOf, isComplete, newPolicy, newPolicyOf, type PolicyBody } from './policy-draft.ts';
import { PolicyFields } from './policy-fields.tsx';
import { draftOfText, readText, textOf } from './policy-text.ts';

interface PolicyFormProps {
  /** Null: a new one. */
  readonly policy: WafPolicy | null;
  readonly etag: string | undefined;
  /** The person's own boundary. */
  readonly own: Scope;
  /** Begins anew with the policy as it is. */
  readonly onAgain?: () => void;
}

/** Creates a policy or changes one, by its fields or as text. */
export function PolicyForm({ policy, etag, own, onAgain }: PolicyFormProps) {
  const isNew = policy === null;
  // Both as they were when the person began: lists are sent whole, and must not undo what another person has changed since.
  const [{ before, known }] = useState(() => ({
    before: policy === null ? newPolicy(own) : draftOf(policy),
    known: etag,
  }));
  const [draft, setDraft] = useState(before);
  /** Null: the fields are shown. */
  const [text, setText] = useState<string | null>(null);
  const [unshowable, setUnshowable] = useState<string | null>(null);
  const { save, error, isRunning } = useSave(policy, known);
  const read = text === null ? { body: bodyOf(draft) } : readText(text, bodyOf(before));
  const body = 'body' in read && (text !== null || isComplete(draft)) ? read.body : null;
  const isReady = body !== null && (isNew || Object.keys(changesOf(body, bodyOf(before))).length > 0);

  const showAs = (way: string) => {
    setUnshowable(null);
    if (way === 'text') return setText(textOf(draft, isNew));
    const shown = 'body' in read ? draftOfText(read.body) : null;
    if (shown === null) {
      return setUnshowable('problem' in read ? read.problem : 'The form cannot show all that this text says.');
    }
    setDraft(shown);
    setText(null);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) void save(body, bodyOf(before)).catch(() => undefined /* shown below, by `error` */);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <div>
          <SegmentedControl
            aria-label="Edit as"
            data={[
              { value: 'form', label: 'Form' },
              { value: 'text', label: 'JSON' },
            ]}
            value={text === null ? 'form' : 'text'}
            onChange={showAs}
          />
        </div>
        {unshowable !== null && (
          <Alert color="red" variant="light" icon={<IconAlertCircle aria-hidden />} role="alert">
            {unshowable}
          </Alert>
        )}
        {text === null ? (
          <PolicyFields draft={draft} own={isNew ? own : null} error={error} onChange={setDraft} />
        ) : (
          <Section
            title="JSON"
            description={`As the API takes it. What is left out ${isNew ? 'has its default' : 'keeps its present value'}.`}
          >
            <Textarea
              aria-label="The policy as JSON"
              autosize
              minRows={18}
              maxRows={40}
              spellCheck={false}
              autoComplete="off"
              classNames={{ input: classes.text ?? '' }}
              value={text}
              error={'problem' in read ? read.problem : null}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          </Section>
        )}
        {error !== null && <ProblemNotice error={error} />}
        {error instanceof ApiError && error.status === 412 && onAgain !== undefined && (
          <div>
            <Button variant="default" onClick={onAgain}>
              Discard my changes and load the current version
            </Button>
          </div>
        )}
        <Group gap="xs">
          <Button type="submit" disabled={!isReady} loading={isRunning}>
            {isNew ? 'Create policy' : 'Save'}
          </Button>
          <ButtonLink to={policy === null ? '/waf' : `/waf/${policy.id}`} variant="default">
            Cancel
          </ButtonLink>
        </Group>
      </Stack>
    </form>
  );
}

const TOUCHES = ['ingress', 'overview', 'audit'];

function useSave(policy: WafPolicy | null, etag: string | undefined) {
  const navigate = useNavigate();
  const options = { quiet: true, touches: TOUCHES };
  const create = useAction('waf.create', { ...options, done: ({ name }) => `Policy ${name} created` });
  const update = useAction('waf.update', { ...options, done: ({ name }) => `Policy ${name} saved` });
  const { error, isRunning } = policy === null ? create : update;
  const save = async (body: PolicyBody, before: PolicyBody) => {
    const saved =
      policy === null
        ? await create.run({ body: newPolicyOf(body) })
        : await update.run({ params: { id: policy.id }, body: changesOf(body, before), if_match: etag });
    await navigate({ to: '/waf/$id', params: { id: saved.body.id } });
  };
  return { save, error, isRunning };
}
