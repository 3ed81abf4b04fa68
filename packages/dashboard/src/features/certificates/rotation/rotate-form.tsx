import { Button, Group, List, Radio, Select, Stack } from '@mantine/core';
import { AUTHORITY_ROLES, type AuthorityRole } from '@meshwork/contract/vocabulary';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { fieldError } from '../../../ui/said-of-error.ts';
import {
  DEADLINES,
  deadlineSeconds,
  HOLDS,
  holdSeconds,
  NO_DEADLINE,
  NO_HOLD,
  rotationCosts,
} from './rotation-costs.ts';
import { ROTATED_WORDS } from './rotation-words.ts';

/** The usual one first. */
const CHOICES = AUTHORITY_ROLES.toReversed();
const DEADLINE_CHOICES = DEADLINES.map(({ value, label }) => ({ value, label }));
const HOLD_CHOICES = HOLDS.map(({ value, label }) => ({ value, label }));

const SIGNED_OUTSIDE =
  'The key of the root is kept outside the installation, so that a new intermediate has to be signed there. Start with: mesh ca request-intermediate';

interface RotateFormProps {
  readonly onClose: () => void;
  /** An intermediate cannot be made here then. */
  readonly isRootOutside: boolean;
}

/** What is replaced, by when, and what that costs. */
export function RotateForm({ onClose, isRootOutside }: RotateFormProps) {
  const [what, setWhat] = useState<AuthorityRole>(isRootOutside ? 'root' : 'intermediate');
  const [deadline, setDeadline] = useState<string>(NO_DEADLINE);
  const [hold, setHold] = useState<string>(NO_HOLD);
  const rotate = useAction('ca.rotate', {
    quiet: true,
    done: (rotation) => `Rotation of the ${rotation.what} started`,
    touches: ['overview', 'audit'],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const deadline_s = deadlineSeconds(deadline);
    const hold_s = holdSeconds(hold);
    const body = {
      what,
      ...(deadline_s === undefined ? {} : { deadline_s }),
      ...(hold_s === undefined ? {} : { hold_s }),
    };
    rotate.run({ body }).then(onClose, () => undefined /* shown below, by `error` */);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Radio.Group
          label="Replace"
          value={what}
          onChange={(chosen) => setWhat(AUTHORITY_ROLES.find((one) => one === chosen) ?? what)}
        >
          <Stack gap={6} mt={4}>
            {CHOICES.map((one) => (
              <Radio
                key={one}
                value={one}
                label={ROTATED_WORDS[one].label}
                disabled={isRootOutside && one === 'intermediate'}
                description={isRootOutside && one === 'intermediate' ? SIGNED_OUTSIDE : ROTATED_WORDS[one].text}
              />
            ))}
          </Stack>
        </Radio.Group>
        <Select
          label="Deadline"
          description="How long nodes are waited for at most."
          data={DEADLINE_CHOICES}
          allowDeselect={false}
          value={deadline}
          onChange={(value) => setDeadline(value ?? NO_DEADLINE)}
        />
        <Select
          label="Minimum time"
          description="How long the new ones are published at least before they are used."
          data={HOLD_CHOICES}
          allowDeselect={false}
          value={hold}
          error={fieldError(rotate.error, '/hold_s') ?? null}
          onChange={(value) => setHold(value ?? NO_HOLD)}
        />
        <List size="sm" spacing={4} aria-label="What follows">
          {rotationCosts({ what, deadline, hold }).map((cost) => (
            <List.Item key={cost}>{cost}</List.Item>
          ))}
        </List>
        {rotate.error !== null && <ProblemNotice error={rotate.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={rotate.isRunning}>
            Start rotation
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
