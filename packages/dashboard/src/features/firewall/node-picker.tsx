import { Button, Group } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { NodeField } from '../../mesh/node-field.tsx';
import classes from './node-picker.module.css';

/** Leads to what one node filters by, policy and rules together. */
export function NodePicker() {
  const [name, setName] = useState('');
  const navigate = useNavigate();
  const show = (id: string) => void navigate({ to: '/firewall/nodes/$id', params: { id } });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') show(name.trim());
      }}
    >
      <Group gap="xs" align="flex-end">
        <div className={classes.field}>
          <NodeField
            label="Show the rules of a node"
            placeholder="git-1"
            value={name}
            onChange={setName}
            onOptionSubmit={show}
          />
        </div>
        <Button
          type="submit"
          variant="default"
          disabled={name.trim() === ''}
          leftSection={<IconFileText size={16} aria-hidden />}
        >
          Show its table
        </Button>
      </Group>
    </form>
  );
}
