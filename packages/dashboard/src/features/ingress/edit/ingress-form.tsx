import { Alert, Button, Group, SegmentedControl, Stack, Textarea } from '@mantine/core';
import { ApiError } from '@meshwork/client';
import type { Ingress, Scope } from '@meshwork/contract';
import { IconAlertCircle } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { ButtonLink } from '../../../ui/anchor-link.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { Section } from '../../../ui/section.tsx';
import classes from './edit.module.css';
import { bodyOf, changesOf, draftOf, type IngressBody, isComplete, newDraft, newIngressOf } from './ingress-draft.ts';
import { IngressFields } from './ingress-fields.tsx';
import { draftOfText, readText, textOf } from './ingress-text.ts';

interface IngressFormProps {
  /** Null: a new one. */
  readonly ingress: Ingress | null;
  readonly etag: string | undefined;
  /** The person's own boundary. */
  readonly own: Scope;
  /** Begins anew with the ingress as it is. */
  readonly onAgain?: () => void;
}

const TOUCHES = ['nodes', 'overview', 'audit', 'ca'];

/** Creates an ingress or changes one, by its fields or as text. */
export function IngressForm({ ingress, etag, own, onAgain }: IngressFormProps) {
  const isNew = ingress === null;
  // Both as they were when the person began: lists are sent whole, and must not undo what another person has changed since.
  const [{ before, known }] = useState(() => ({
    before: ingress === null ? newDraft(own) : draftOf(ingress),
    known: etag,
  }));
  const [draft, setDraft] = useState(before);
  /** Null: the fields are shown. */
  const [text, setText] = useState<string | null>(null);
  const [unshowable, setUnshowable] = useState<string | null>(null);
  const { save, error, isRunning } = useSave(ingress, known);
  const read = text === null ? { body: bodyOf(draft) } : readText(text, bodyOf(before));
  const body = 'body' in read && (text !== null || isComplete(draft)) ? read.body : null;
  const isReady = body !== null && (isNew || Object.keys(changesOf(body, bodyOf(before))).length > 0);

  const showAs = (way: string) => {
    setUnshowable(null);
    if (way === 'text') setText(textOf(draft, isNew));
    else {
      const shown = 'body' in read ? draftOfText(read.body, before) : null;
      if (shown === null)
        setUnshowable('problem' in read ? read.problem : 'The form cannot show all that this text says.');
      else {
        setDraft(shown);
        setText(null);
      }
    }
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
          <IngressFields draft={draft} own={isNew ? own : null} error={error} onChange={setDraft} />
        ) : (
          <Section
            title="JSON"
            description={`As the API takes it. What is left out ${isNew ? 'has its default' : 'keeps its present value'}.`}
          >
            <Textarea
              aria-label="The ingress as JSON"
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
        {isConflict(error) && onAgain !== undefined && (
          <div>
            <Button variant="default" onClick={onAgain}>
              Discard my changes and load the current version
            </Button>
          </div>
        )}
        <Group gap="xs">
          <Button type="submit" disabled={!isReady} loading={isRunning}>
            {isNew ? 'Create ingress' : 'Save'}
          </Button>
          {ingress === null ? (
            <ButtonLink to="/ingress" variant="default">
              Cancel
            </ButtonLink>
          ) : (
            <ButtonLink to="/ingress/$id" params={{ id: ingress.id }} variant="default">
              Cancel
            </ButtonLink>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** Another person has changed it since. */
function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}

function useSave(ingress: Ingress | null, etag: string | undefined) {
  const navigate = useNavigate();
  const options = { quiet: true, touches: TOUCHES };
  const create = useAction('ingress.create', { ...options, done: ({ name }) => `Ingress ${name} created` });
  const update = useAction('ingress.update', { ...options, done: ({ name }) => `Ingress ${name} saved` });
  const { error, isRunning } = ingress === null ? create : update;
  const save = async (body: IngressBody, before: IngressBody) => {
    const request =
      ingress === null ? null : { params: { id: ingress.id }, body: changesOf(body, before), if_match: etag };
    const saved = request === null ? await create.run({ body: newIngressOf(body) }) : await update.run(request);
    await navigate({ to: '/ingress/$id', params: { id: saved.body.id } });
  };
  return { save, error, isRunning };
}
