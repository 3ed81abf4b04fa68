import { Text } from '@mantine/core';
import type { Token } from '@meshwork/contract';
import { useRead } from '../../api/queries.ts';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Moment } from '../../ui/moment.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { Section } from '../../ui/section.tsx';
import { TokenState } from '../../ui/state.tsx';
import classes from './rotation-chain.module.css';
import { TokenEnd } from './token-end.tsx';

/** Ours: one that is rotated every month goes back years, and this much is enough at once. */
const FARTHEST = 8;

/** The tokens before and after this one, newest first: to the program that uses them they are one credential. */
export function RotationChain({ token }: { readonly token: Token }) {
  return (
    <Section title="Rotations" description="Predecessors and successors of this token.">
      <ol className={classes.chain}>
        <Further id={token.rotated_to} way="rotated_to" left={FARTHEST} />
        <Link token={token} isThis />
        <Further id={token.rotated_from} way="rotated_from" left={FARTHEST} />
      </ol>
    </Section>
  );
}

interface FurtherProps {
  readonly id: string | null;
  readonly way: 'rotated_to' | 'rotated_from';
  readonly left: number;
}

/** Each link names the next, so they are read one after the other. */
function Further({ id, way, left }: FurtherProps) {
  const query = useRead('tokens.show', { params: { id: id ?? '' } }, { enabled: id !== null && left > 0 });
  if (id === null) return null;
  if (left === 0) {
    return (
      <li className={classes.link}>
        <AnchorLink to="/tokens/$id" params={{ id }} size="sm">
          {way === 'rotated_to' ? 'Newer' : 'Older'}
        </AnchorLink>
      </li>
    );
  }
  if (query.error !== null) {
    return (
      <li className={classes.link}>
        <ProblemNotice error={query.error} />
      </li>
    );
  }
  const token = query.data?.body;
  if (token === undefined) return null;
  const further = <Further id={token[way]} way={way} left={left - 1} />;
  return (
    <>
      {way === 'rotated_to' && further}
      <Link token={token} />
      {way === 'rotated_from' && further}
    </>
  );
}

function Link({ token, isThis = false }: { readonly token: Token; readonly isThis?: boolean }) {
  return (
    <li className={classes.link} aria-current={isThis ? 'true' : undefined}>
      <TokenState state={token.state} />
      <span className={classes.id}>
        {isThis ? (
          token.id
        ) : (
          <AnchorLink to="/tokens/$id" params={{ id: token.id }} inherit>
            {token.id}
          </AnchorLink>
        )}
      </span>
      <Text span size="sm" c="dimmed">
        {isThis && 'This token. '}Created <Moment at={token.created_at} />, {isOver(token) ? 'expired' : 'expires'}{' '}
        <TokenEnd token={token} />
      </Text>
    </li>
  );
}

function isOver({ state }: Token): boolean {
  return state === 'expired' || state === 'revoked';
}
