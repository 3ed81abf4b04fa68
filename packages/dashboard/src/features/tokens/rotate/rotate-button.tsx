import { Button, type ButtonProps } from '@mantine/core';
import type { Token } from '@meshwork/contract';
import { IconRefresh } from '@tabler/icons-react';
import { useSession } from '../../../session/session.tsx';
import { mayRotate } from './may-rotate.ts';

interface RotateButtonProps {
  readonly token: Token;
  readonly onClick: () => void;
  readonly size?: NonNullable<ButtonProps['size']>;
}

/** Not offered to whom it would be refused. */
export function RotateButton({ token, onClick, size = 'sm' }: RotateButtonProps) {
  const { permissions } = useSession();
  if (!mayRotate(token, permissions).yes) return null;
  return (
    <Button
      variant="default"
      size={size}
      leftSection={<IconRefresh size={14} aria-hidden />}
      aria-label={`Rotate ${token.name}`}
      onClick={onClick}
    >
      Rotate
    </Button>
  );
}
