import { ActionIcon, Button, Select, Stack, Switch, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { Folded } from '../../../ui/folded.tsx';
import { REDIRECT_WORDS } from '../redirect-words.ts';
import classes from './edit.module.css';
import { REDIRECT_STATUSES, type RedirectDraft, withRedirect } from './front-draft.ts';

interface RedirectFieldsProps {
  readonly redirects: readonly RedirectDraft[];
  /** What a new one is for. */
  readonly first: string;
  /** What the coordinator says of one of its fields: `0/to`. */
  readonly wrong: (field: string) => string | null;
  readonly isWrong: boolean;
  readonly onChange: (redirects: readonly RedirectDraft[]) => void;
}

const STATUSES = REDIRECT_STATUSES.map((status) => ({
  value: String(status),
  label: `${status} ${REDIRECT_WORDS[status]}`,
}));
const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

/** Paths from which clients are sent elsewhere. */
export function RedirectFields({ redirects, first, wrong, isWrong, onChange }: RedirectFieldsProps) {
  return (
    <Folded title="Redirects" summary={summaryOf(redirects)} isOpenForced={isWrong}>
      <Stack>
        {redirects.map((redirect, index) => (
          <OneRedirect
            key={redirect.key}
            redirect={redirect}
            wrong={(field) => wrong(`${index}/${field}`)}
            onChange={(changed) => onChange(redirects.with(index, changed))}
            onRemove={() => onChange(redirects.filter(({ key }) => key !== redirect.key))}
          />
        ))}
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange(withRedirect(redirects, redirects.length === 0 ? first : ''))}
          >
            Add redirect
          </Button>
        </div>
      </Stack>
    </Folded>
  );
}

interface OneRedirectProps {
  readonly redirect: RedirectDraft;
  readonly wrong: (field: string) => string | null;
  readonly onChange: (redirect: RedirectDraft) => void;
  readonly onRemove: () => void;
}

function OneRedirect({ redirect, wrong, onChange, onRemove }: OneRedirectProps) {
  const set = (change: Partial<RedirectDraft>) => onChange({ ...redirect, ...change });
  return (
    <div className={classes.route}>
      <div className={classes.pair}>
        <TextInput
          {...PLAIN}
          label="From path"
          placeholder="/old"
          required
          value={redirect.path}
          error={wrong('path')}
          onChange={(event) => set({ path: event.currentTarget.value.trim() })}
        />
        <TextInput
          {...PLAIN}
          label="To"
          placeholder="https://new.example.net"
          required
          value={redirect.to}
          error={wrong('to')}
          onChange={(event) => set({ to: event.currentTarget.value.trim() })}
        />
        <ActionIcon
          variant="default"
          size="input-sm"
          className={classes.remove}
          aria-label={`Remove the redirect of ${redirect.path === '' ? 'the new path' : redirect.path}`}
          onClick={onRemove}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </div>
      <Select
        label="Status"
        allowDeselect={false}
        data={STATUSES}
        value={String(redirect.status)}
        error={wrong('status')}
        onChange={(value) => set({ status: REDIRECT_STATUSES.find((one) => String(one) === value) ?? 302 })}
      />
      <Switch
        label="Keep the rest of the path and the query"
        checked={redirect.keep}
        onChange={(event) => set({ keep: event.currentTarget.checked })}
      />
    </div>
  );
}

function summaryOf(redirects: readonly RedirectDraft[]): string {
  if (redirects.length === 0) return 'None';
  return redirects.map(({ path, to }) => `${path} to ${to}`).join(' · ');
}
