import { Stack } from '@mantine/core';
import type { Settings } from '@meshwork/contract';
import { useBlocker } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useAction } from '../../api/actions.ts';
import type { SettingPath } from '../../feature/setting-fields.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { fieldError } from '../../ui/said-of-error.ts';
import { Section } from '../../ui/section.tsx';
import { ChangeList } from './change-list.tsx';
import { countOf, type Draft, isWhole, NOTHING, patchOf, withSurface, withValue } from './draft.ts';
import { SaveBar } from './save-bar.tsx';
import { SettingField } from './setting-field.tsx';
import { partsOf, useSettingSections, valueAt } from './setting-table.ts';
import classes from './settings-form.module.css';
import { SurfaceRoles } from './surface-roles.tsx';

interface SettingsFormProps {
  readonly settings: Settings;
  readonly etag: string | null;
}

/** All settings in one form: some depend on each other, so they are saved together. */
export function SettingsForm({ settings, etag }: SettingsFormProps) {
  const sections = useSettingSections();
  const [draft, setDraft] = useState(NOTHING);
  const confirm = useConfirm();
  const update = useAction('settings.update', { quiet: true, done: 'Settings saved', touches: ['overview'] });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The form is long: after a refusal, focus the first invalid field.
    if (update.error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [update.error]);
  const count = countOf(draft);
  useUnsavedGuard(count > 0);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (count === 0 || !isWhole(draft)) return;
    const consequence = <ChangeList draft={draft} settings={settings} />;
    if (!(await confirm({ title: 'Save settings?', consequence, action: 'Save' }))) return;
    await update.run({ body: patchOf(draft), ...(etag === null ? {} : { if_match: etag }) });
    setDraft(NOTHING);
  };
  // The refusal was about what stood there before.
  const change = (next: Draft) => {
    setDraft(next);
    if (update.error !== null) update.reset();
  };
  const discard = () => {
    setDraft(NOTHING);
    update.reset();
  };
  return (
    <form ref={form} onSubmit={(event) => void submit(event).catch(() => undefined /* shown below, by update.error */)}>
      <Stack gap="md">
        {sections.map(({ id, title, description, settings: shown }) => (
          <Section key={id} title={title} description={description}>
            <div className={classes.fields}>
              {shown.map((setting) => (
                <SettingField
                  key={setting.path}
                  setting={setting}
                  current={valueAt(settings, setting.path)}
                  change={draft.values.get(setting.path)}
                  error={fieldError(update.error, pointerOf(setting.path))}
                  onChange={(value) => change(withValue(draft, settings, setting.path, value))}
                />
              ))}
              {id === 'tokens' && (
                <SurfaceRoles
                  current={settings.tokens.surface_roles}
                  changes={draft.surface_roles}
                  error={update.error}
                  onChange={(surface, role) => change(withSurface(draft, settings, surface, role))}
                />
              )}
            </div>
          </Section>
        ))}
        {update.error !== null && <ProblemNotice error={update.error} />}
        <SaveBar count={count} isWhole={isWhole(draft)} isRunning={update.isRunning} discard={discard} />
      </Stack>
    </form>
  );
}

/** As problem documents name it: `/nodes/stale_after_s`. */
function pointerOf(path: SettingPath): string {
  return `/${partsOf(path).join('/')}`;
}

/** Asks before a person leaves with unsaved settings. */
function useUnsavedGuard(isChanged: boolean): void {
  const confirm = useConfirm();
  useBlocker({
    shouldBlockFn: async ({ next }) => {
      if (!isChanged || next.pathname === '/settings' || next.pathname === '/sign-in') return false;
      const consequence = 'Your changes are discarded.';
      return !(await confirm({ title: 'Leave without saving?', consequence, action: 'Leave' }));
    },
    enableBeforeUnload: isChanged,
  });
}
