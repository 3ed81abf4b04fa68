import { Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Scope } from '@meshwork/contract';
import { NODE_NAME_PATTERN, utc } from '@meshwork/contract/vocabulary';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { useRead } from '../../../api/queries.ts';
import { ownTags, tagProblem } from '../../../mesh/tag-problem.ts';
import { TagsEditor } from '../../../mesh/tags-editor.tsx';
import { useSession } from '../../../session/session.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { ScopeMember } from './scope-member.tsx';

/** A node that may come, and the token it may come with. */
export interface Prepared {
  readonly name: string;
  readonly tags: readonly string[];
  readonly secret: string;
  readonly expires: string;
  readonly at_ms: number;
}

interface EnrolFormProps {
  readonly onPrepared: (prepared: Prepared) => void;
  readonly onCancel: () => void;
}

const NAME = new RegExp(NODE_NAME_PATTERN);
const TOKEN_LIFETIME_MS = 3_600_000;

export function EnrolForm({ onPrepared, onCancel }: EnrolFormProps) {
  const own = useSession().user.scope;
  const [name, setName] = useState('');
  const [tags, setTags] = useState<string[]>([]);
  const [scope, setScope] = useState<Scope>(own);
  const create = useAction('tokens.create', { quiet: true, touches: ['overview'] });
  const nameProblem = useNameProblem(name);
  const wrongTags = tagProblem(tags);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (name === '' || nameProblem !== null || wrongTags !== null) return;
    const at_ms = Date.now();
    // The token carries the tags, so that the node may have what the person may set: its own boundary may own none of them.
    const given = { uses: 1, tags: ownTags(tags) };
    const body = { name: `enrol ${name}`, scope, role: 'enroller', expires: utc(at_ms + TOKEN_LIFETIME_MS), ...given };
    const { secret, expires } = (await create.run({ body })).body;
    onPrepared({ name, tags, secret, expires, at_ms });
  };
  const member = (key: keyof Scope) => (
    <ScopeMember
      member={key}
      own={own[key]}
      value={scope[key]}
      onChange={(value) => setScope({ ...scope, [key]: value })}
    />
  );
  return (
    <form onSubmit={(event) => void submit(event).catch(() => undefined /* shown below, by create.error */)}>
      <Stack>
        <TextInput
          label="Name"
          description="Its host name in the mesh."
          placeholder="git-2"
          required
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          value={name}
          error={name === '' ? null : nameProblem}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div>
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="xs">
            {member('team')}
            {member('surface')}
            {member('environment')}
          </SimpleGrid>
          <Text size="xs" c="dimmed" mt={4}>
            The boundary of the node: it gets these tags, and only people and tokens of that boundary see it. * is
            everywhere, and gives no tag.
          </Text>
        </div>
        <TagsEditor
          label="More tags"
          description="Used by the policy, such as role:git."
          initial={[]}
          onChange={setTags}
        />
        {create.error !== null && <ProblemNotice error={create.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isRunning}>
            Generate command
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Null: nothing is known to be wrong with it. The coordinator has the last word when the node comes. */
function useNameProblem(name: string): string | null {
  const [settled] = useDebouncedValue(name, 250);
  const found = useRead('nodes.list', { query: { q: settled, limit: 200 } }, { enabled: NAME.test(settled) });
  if (!NAME.test(name)) return 'Use up to 63 lowercase letters, digits and dashes, without a dash at either end.';
  const isTaken = settled === name && found.data?.body.items.some((node) => node.name === name) === true;
  return isTaken ? `A node named ${name} already exists. Choose another name, or remove that node.` : null;
}
