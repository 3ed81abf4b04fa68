import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ButtonLink } from '../../../ui/anchor-link.tsx';
import { PemField } from '../../../ui/pem-field.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import classes from '../../../ui/record.module.css';
import { fieldError } from '../../../ui/said-of-error.ts';
import { Section } from '../../../ui/section.tsx';
import { chainProblem, keyProblem } from '../given-words.ts';

interface Pem {
  readonly chain: string;
  readonly private_key: string;
}

interface PemFormProps {
  /** What stands above: the name of a new one. */
  readonly children?: ReactNode;
  /** Whether what stands above is complete. */
  readonly isReady: boolean;
  readonly action: string;
  readonly cancel: string;
  readonly error: unknown;
  readonly isRunning: boolean;
  /** Rejects when it did not work, which `error` shows. */
  readonly onSubmit: (pem: Pem) => Promise<void>;
}

/** The certificate and its key. The key is forgotten here as soon as it was taken. */
export function PemForm({ children, isReady, action, cancel, error, isRunning, onSubmit }: PemFormProps) {
  const [chain, setChain] = useState('');
  const [private_key, setKey] = useState('');
  const problems = [chainProblem(chain), keyProblem(private_key)];
  const isComplete =
    isReady && chain.trim() !== '' && private_key.trim() !== '' && problems.every((one) => one === null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isComplete) await onSubmit({ chain, private_key }).then(() => setKey(''));
  };
  return (
    <form onSubmit={(event) => void submit(event).catch(() => undefined /* shown below, by `error` */)}>
      <Stack gap="lg">
        {children}
        <Section title="Certificate and key">
          <Stack className={classes.fields}>
            <PemField
              label="Certificate chain"
              description="The certificate and then its issuers, each signed by the next: fullchain.pem of certbot."
              placeholder="-----BEGIN CERTIFICATE-----"
              value={chain}
              error={problems[0] ?? fieldError(error, '/chain') ?? null}
              onChange={setChain}
            />
            <PemField
              label="Private key"
              description="Not encrypted. It is sealed when it is taken, sent only to gateways that show the certificate, and never shown again."
              placeholder="-----BEGIN PRIVATE KEY-----"
              value={private_key}
              error={problems[1] ?? fieldError(error, '/private_key') ?? null}
              onChange={setKey}
            />
          </Stack>
        </Section>
        {error !== null && <ProblemNotice error={error} />}
        <Group gap="xs">
          <Button type="submit" disabled={!isComplete} loading={isRunning}>
            {action}
          </Button>
          <ButtonLink to={cancel} variant="default">
            Cancel
          </ButtonLink>
        </Group>
      </Stack>
    </form>
  );
}
