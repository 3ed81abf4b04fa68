import { Radio, Stack, Text } from '@mantine/core';
import type { Token } from '@meshwork/contract';
import { TokenLines } from '../../../mesh/token-lines.tsx';

export type Children = 'revoke' | 'keep';

interface ChildrenChoiceProps {
  readonly tokens: readonly Token[];
  readonly value: Children | null;
  readonly onChange: (value: Children) => void;
}

const KEPT = {
  one: 'It stays valid until it expires, and cannot be renewed with its own secret.',
  many: 'They stay valid until they expire, and cannot be renewed with their own secrets.',
};

/** What a token made ends with it, or stays. There is no default: either can be the mistake. */
export function ChildrenChoice({ tokens, value, onChange }: ChildrenChoiceProps) {
  const isOne = tokens.length === 1;
  const them = isOne ? 'it' : 'them';
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {isOne ? '1 token created with it is still valid:' : `${tokens.length} tokens created with it are still valid:`}
      </Text>
      <TokenLines tokens={tokens} label="Tokens created with it" scrolls />
      <Radio.Group
        label="Tokens created with it"
        value={value}
        onChange={(chosen) => onChange(chosen === 'revoke' ? 'revoke' : 'keep')}
      >
        <Stack gap={6} mt={4}>
          <Radio value="revoke" label={`Revoke ${them} too`} description="Choose this if the token has leaked." />
          <Radio value="keep" label={`Keep ${them}`} description={isOne ? KEPT.one : KEPT.many} />
        </Stack>
      </Radio.Group>
    </Stack>
  );
}
