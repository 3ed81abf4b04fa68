import { Button, Text } from '@mantine/core';
import type { CertificateOrder } from '@meshwork/contract';
import { useAction } from '../api/actions.ts';
import { useMay } from '../session/session.tsx';
import { AnchorLink } from '../ui/anchor-link.tsx';
import { Ago, Moment } from '../ui/moment.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import classes from '../ui/record.module.css';
import { OrderState } from './order-state.tsx';
import { renewalWords, stepWords } from './order-words.ts';

/** One host name and its certificate: how far the order is, why it failed, when it is tried or renewed, and another attempt. */
export function OrderLine({ order }: { readonly order: CertificateOrder }) {
  const { id, hostname, authority, ingresses, state, problem, attempts, next_at, renewal, not_after } = order;
  const step = stepWords(order);
  return (
    <>
      <div className={classes.head}>
        <Text span fw={500} size="sm">
          {not_after === null ? (
            hostname
          ) : (
            <AnchorLink to="/given-certificates/$id" params={{ id }}>
              {hostname}
            </AnchorLink>
          )}
        </Text>
        <OrderState state={state} />
      </div>
      <span className={classes.below}>
        From{' '}
        <AnchorLink to="/outside-authorities/$id" params={{ id: authority.id }} inherit>
          {authority.name}
        </AnchorLink>
        {ingresses.length === 0
          ? ', which no ingress needs now'
          : `, for ${ingresses.map(({ name }) => name).join(', ')}`}
      </span>
      {step !== null && <span className={classes.below}>{step}</span>}
      {problem !== null && (
        <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
          {problem}
        </Text>
      )}
      {state === 'failing' && (
        <span className={classes.below}>
          {attempts === 1 ? '1 attempt' : `${attempts.toLocaleString()} attempts`} failed
          {next_at !== null && (
            <>
              , the next is <Ago at={next_at} />
            </>
          )}
        </span>
      )}
      {not_after !== null && (
        <span className={classes.below}>
          Ends <Moment at={not_after} />
          {renewal !== null && (
            <>
              , renewed <Moment at={renewal.at} />, {renewalWords(renewal.by)}
            </>
          )}
        </span>
      )}
      {renewal !== null && renewal.explanation_url !== null && (
        <span className={classes.below}>The authority says why: {renewal.explanation_url}</span>
      )}
      <Retry order={order} />
    </>
  );
}

function Retry({ order: { id, hostname, state } }: { readonly order: CertificateOrder }) {
  const may = useMay()('ingress:write');
  const retry = useAction('certificate_orders.retry', {
    quiet: true,
    touches: ['given_certificates', 'outside_authorities', 'overview', 'audit'],
    done: `${hostname} is tried again now`,
  });
  if (!may || state === 'under_way') return null;
  return (
    <>
      {retry.error !== null && <ProblemNotice error={retry.error} />}
      <div>
        <Button
          mt="xs"
          size="compact-sm"
          variant="default"
          loading={retry.isRunning}
          aria-label={state === 'issued' ? `Renew now: ${hostname}` : `Try again: ${hostname}`}
          onClick={() => void retry.run({ params: { id } }).catch(() => undefined /* shown above, by `error` */)}
        >
          {state === 'issued' ? 'Renew now' : 'Try again'}
        </Button>
      </div>
    </>
  );
}
