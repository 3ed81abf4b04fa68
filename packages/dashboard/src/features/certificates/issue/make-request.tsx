import { Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Command } from '../../../ui/command.tsx';
import { Section } from '../../../ui/section.tsx';
import { isHostName, requestCommand } from './request-text.ts';

/** Where the service runs: its key never leaves that machine. */
export function MakeRequest() {
  const [name, setName] = useState('git-1.mesh');
  const isSound = isHostName(name);
  return (
    <Section
      title="1. Make a request"
      description="Run this where the service runs. Only the .csr file is needed here."
    >
      <Stack maw="44rem">
        <TextInput
          label="DNS name"
          description="The node’s name followed by .mesh, or a name below it."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={name}
          error={isSound ? null : 'Enter a host name, such as git-1.mesh'}
          onChange={(event) => setName(event.currentTarget.value.trim().toLowerCase())}
        />
        {isSound && <Command label="Creates a key and a certificate request" text={requestCommand(name)} />}
        <Text size="sm" c="dimmed">
          For more names, separate them by commas:{' '}
          <code>subjectAltName=DNS:git-1.mesh,DNS:www.git-1.mesh,IP:100.64.0.7</code>. The addresses have to be those of
          the node.
        </Text>
      </Stack>
    </Section>
  );
}
