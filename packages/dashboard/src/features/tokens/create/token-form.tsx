import { Button, Group, Modal, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import type { BuiltInRole, Scope, TokenWithSecret } from '@meshwork/contract';
import { BUILT_IN_ROLES, isWholeMesh } from '@meshwork/contract/vocabulary';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { useRead } from '../../../api/queries.ts';
import { type AssignableRole, useAssignableRoles } from '../../../mesh/assignable-roles.ts';
import { PermissionWords } from '../../../mesh/permission-words.tsx';
import { ScopeFields } from '../../../mesh/scope-fields.tsx';
import { tagProblem } from '../../../mesh/tag-problem.ts';
import { TagsEditor } from '../../../mesh/tags-editor.tsx';
import { useMay, useSession } from '../../../session/session.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { fieldError } from '../../../ui/said-of-error.ts';
import { Section } from '../../../ui/section.tsx';
import { NewSecret } from '../secret/new-secret.tsx';
import { AutomationRole } from './automation-role.tsx';
import { type LeastRole, leastRole } from './least-role.ts';
import { closestLifetime, expiryOf, type Lifetime, lifetimesWithin } from './lifetimes.ts';
import { type Purpose, scopeFor } from './purposes.ts';

/** The token that a purpose needs, proposed whole; everything in it can still be narrowed. */
export function TokenForm({ purpose }: { readonly purpose: Purpose }) {
  const { permissions, user } = useSession();
  const own = user.scope;
  const navigate = useNavigate();
  const lifetimes = useLifetimes();
  const [name, setName] = useState(purpose.name);
  const [scope, setScope] = useState<Scope>(scopeFor(purpose, own));
  const [wanted, setLifetime] = useState(purpose.lifetime);
  const [uses, setUses] = useState<number | string>(purpose.uses ?? '');
  const [tags, setTags] = useState<string[]>([]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [made, setMade] = useState<TokenWithSecret | null>(null);
  const create = useAction('tokens.create', { quiet: true, touches: ['overview', 'audit'] });
  const least = leastRole(chosen, useAssignableRoles(), permissions);
  const role = purpose.role === null ? chosenRole(chosen, least) : builtIn(purpose.role);
  const lifetime = closestLifetime(wanted, lifetimes);
  const setsTags = role?.permissions.some((one) => one === 'nodes:enroll' || one === 'nodes:write') === true;
  const given = setsTags && tags.length > 0 ? { tags } : {};

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (role === null || (setsTags && tagProblem(tags) !== null)) return;
    const counted = purpose.uses !== undefined && typeof uses === 'number' ? { uses } : {};
    const expires = expiryOf(lifetime, Date.now());
    const body = { name: name.trim(), scope, role: role.name, expires, ...counted, ...given };
    setMade((await create.run({ body })).body);
  };
  const done = async (id: string) => {
    setMade(null); // the secret is not kept anywhere
    create.reset();
    await navigate({ to: '/tokens/$id', params: { id }, ignoreBlocker: true }); // they said that they stored it
  };
  return (
    <form onSubmit={(event) => void submit(event).catch(() => undefined /* shown below, by create.error */)}>
      <Stack gap="lg">
        {purpose.role === null && <AutomationRole name={name} chosen={chosen} onChange={setChosen} least={least} />}
        <Section title="Name, boundary and expiry">
          <Stack maw="40rem">
            <TextInput
              label="Name"
              description="For example the program that uses it, and where."
              required
              maxLength={100}
              autoComplete="off"
              value={name}
              error={fieldError(create.error, '/name') ?? null}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <ScopeFields
              meaning="The boundary: it can access nodes with these tags only (team:, surface:, env:)."
              own={own}
              value={scope}
              onChange={setScope}
              error={create.error}
            />
            <Select
              label="Expires after"
              description="Shorter is safer. You can rotate it before it expires."
              data={lifetimes.map(({ value, label }) => ({ value, label }))}
              allowDeselect={false}
              value={lifetime}
              error={fieldError(create.error, '/expires') ?? null}
              onChange={(value) => setLifetime(value ?? wanted)}
            />
            {purpose.uses !== undefined && (
              <NumberInput
                label="Maximum enrolments"
                description="Leave empty for no limit."
                allowDecimal={false}
                allowNegative={false}
                min={1}
                max={1_000_000}
                value={uses}
                error={fieldError(create.error, '/uses') ?? null}
                onChange={setUses}
              />
            )}
            {setsTags && (
              <TagsEditor
                label="Tags it can set"
                description="Owned tags that it can set on nodes in its boundary, such as role:dba. Not needed for tags without an owner."
                initial={[]}
                error={fieldError(create.error, '/tags') ?? null}
                onChange={setTags}
              />
            )}
          </Stack>
        </Section>
        {role !== null && (
          <Section title="Permissions" description={`As ${role.name}. ${role.description}`}>
            <PermissionWords permissions={role.permissions} />
          </Section>
        )}
        {create.error !== null && <ProblemNotice error={create.error} />}
        <Group>
          <Button type="submit" loading={create.isRunning} disabled={role === null}>
            Create token
          </Button>
        </Group>
      </Stack>
      <Modal
        opened={made !== null}
        onClose={() => undefined}
        title="Token created"
        size="lg"
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
      >
        {made !== null && <NewSecret token={made} old_ends={null} onDone={() => void done(made.id)} />}
      </Modal>
    </form>
  );
}

function builtIn(name: BuiltInRole): AssignableRole {
  return { name, ...BUILT_IN_ROLES[name] };
}

/** Null: nothing is chosen yet, or no role can do all of it. */
function chosenRole(chosen: ReadonlySet<string>, least: LeastRole | null): AssignableRole | null {
  return chosen.size === 0 ? null : (least?.role ?? null);
}

/** What the settings allow, where the person may read them. */
function useLifetimes(): readonly Lifetime[] {
  const { scope } = useSession().user;
  const enabled = useMay()('settings:read') && isWholeMesh(scope);
  return lifetimesWithin(useRead('settings.show', undefined, { enabled }).data?.body.tokens.max_lifetime_days);
}
