/** A record that is created or changed, by its fields or as text: what ingresses and WAF policies have in common. */
import { Alert, Button, Group, SegmentedControl, Stack, Textarea } from '@mantine/core';
import { ApiError } from '@meshwork/client';
import { IconAlertCircle } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ButtonLink } from '../ui/anchor-link.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { Section } from '../ui/section.tsx';
import classes from './record-form.module.css';

/** How a draft, what the API takes, and its text follow from each other. */
interface RecordDrafts<Draft, Body> {
  bodyOf(draft: Draft): Body;
  /** What differs: only this is sent. */
  changesOf(body: Body, before: Body): object;
  isComplete(draft: Draft): boolean;
  textOf(draft: Draft, isNew: boolean): string;
  /** `before`: what stands for everything that the text does not name. */
  readText(text: string, before: Body): { readonly body: Body } | { readonly problem: string };
  /** Null: the form cannot show all that the text says. */
  draftOfText(body: Body, before: Draft): Draft | null;
}

interface Saving<Body> {
  save(body: Body, before: Body): Promise<void>;
  readonly error: unknown;
  readonly isRunning: boolean;
}

interface Fields<Draft> {
  readonly draft: Draft;
  readonly error: unknown;
  readonly onChange: (draft: Draft) => void;
}

interface RecordFormProps<Draft, Body> {
  /** `policy`. */
  readonly noun: string;
  readonly isNew: boolean;
  /** As it was when the person began: lists are sent whole, and must not undo what another person has changed since. */
  readonly before: Draft;
  readonly drafts: RecordDrafts<Draft, Body>;
  readonly saving: Saving<Body>;
  readonly fields: (fields: Fields<Draft>) => ReactNode;
  /** Where a person goes who changes nothing. */
  readonly back: string;
  /** Begins anew with the record as it is. */
  readonly onAgain?: (() => void) | undefined;
}

export function RecordForm<Draft, Body>(props: RecordFormProps<Draft, Body>) {
  const { noun, isNew, before, drafts, saving, fields, back, onAgain } = props;
  const { save, error, isRunning } = saving;
  const [draft, setDraft] = useState(before);
  /** Null: the fields are shown. */
  const [text, setText] = useState<string | null>(null);
  const [unshowable, setUnshowable] = useState<string | null>(null);
  const read = text === null ? { body: drafts.bodyOf(draft) } : drafts.readText(text, drafts.bodyOf(before));
  const body = 'body' in read && (text !== null || drafts.isComplete(draft)) ? read.body : null;
  const isChanged = body !== null && Object.keys(drafts.changesOf(body, drafts.bodyOf(before))).length > 0;
  const isReady = body !== null && (isNew || isChanged);

  const showAs = (way: string) => {
    setUnshowable(null);
    if (way === 'text') return setText(drafts.textOf(draft, isNew));
    const shown = 'body' in read ? drafts.draftOfText(read.body, before) : null;
    if (shown === null) {
      return setUnshowable('problem' in read ? read.problem : 'The form cannot show all that this text says.');
    }
    setDraft(shown);
    setText(null);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) void save(body, drafts.bodyOf(before)).catch(() => undefined /* shown below, by `error` */);
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
          fields({ draft, error, onChange: setDraft })
        ) : (
          <Section
            title="JSON"
            description={`As the API takes it. What is left out ${isNew ? 'has its default' : 'keeps its present value'}.`}
          >
            <Textarea
              aria-label={`The ${noun} as JSON`}
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
            {isNew ? `Create ${noun}` : 'Save'}
          </Button>
          <ButtonLink to={back} variant="default">
            Cancel
          </ButtonLink>
        </Group>
      </Stack>
    </form>
  );
}

/** Another person has changed it since. */
function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}
