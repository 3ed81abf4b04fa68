import { Text } from '@mantine/core';
import type { CertificateOrder } from '@meshwork/contract';
import type { ReactNode } from 'react';
import { useEveryItem } from '../api/every-item.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import classes from '../ui/record.module.css';
import { OrderLine } from './order-line.tsx';

/** Ours: steps of an order come without an event. */
const LOOK_EVERY_MS = 5000;

interface OrdersProps {
  /** Only those with this authority. Absent: with any. */
  readonly authority?: string;
  readonly keep: (order: CertificateOrder) => boolean;
  /** What stands there when there is none. */
  readonly empty: ReactNode;
}

/** Orders of certificates, each with its state. */
export function Orders({ authority, keep, empty }: OrdersProps) {
  const request = authority === undefined ? undefined : { query: { authority } };
  const { items, isLoading, error, again } = useEveryItem('certificate_orders.list', request, LOOK_EVERY_MS);
  const shown = items.filter(keep);
  if (error !== null && items.length === 0) return <ProblemNotice error={error} onRetry={again} />;
  if (shown.length === 0) {
    return (
      <Text size="sm" c="dimmed" role="status" component="div">
        {isLoading ? 'Loading…' : empty}
      </Text>
    );
  }
  return (
    <ul className={classes.lines} aria-label="Certificate orders">
      {shown.map((order) => (
        <li key={order.id}>
          <OrderLine order={order} />
        </li>
      ))}
    </ul>
  );
}
