import type { Rotation } from '@meshwork/contract';
import { NodeLink } from '../node-links.tsx';
import { othersWords } from './rotation-words.ts';

/** Ours: as many as a card has room for. Others follow as these prove it. */
const SHOWN = 20;

interface NodeNamesProps {
  readonly nodes: Rotation['waiting'];
  /** With those that the answer does not name. */
  readonly total: number;
}

export function NodeNames({ nodes, total }: NodeNamesProps) {
  const shown = nodes.slice(0, SHOWN);
  return (
    <>
      {shown.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <NodeLink id={id} name={name} />
        </span>
      ))}
      {othersWords(shown.length, total)}
    </>
  );
}
