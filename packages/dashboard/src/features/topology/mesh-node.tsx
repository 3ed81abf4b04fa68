import type { NodeState } from '@meshwork/contract';
import { IconAccessPoint } from '@tabler/icons-react';
import type { Node as FlowNode, NodeProps } from '@xyflow/react';
import { createContext, memo, use } from 'react';
import { NODE_LOOKS } from '../../ui/state.tsx';
import classes from './mesh-node.module.css';

export type MeshNodeType = FlowNode<
  {
    readonly name: string;
    readonly state: NodeState;
    /** Names of the relays that it runs. Null: none. */
    readonly relay: string | null;
  },
  'mesh'
>;

export const NODE_WIDTH = 88;
export const NODE_HEIGHT = 56;
/** From the top. */
export const MARK_CENTRE = 17;

/** Ids of the nodes that stand out. Null: none is highlighted. */
export const LitContext = createContext<ReadonlySet<string> | null>(null);

/** A node in the drawing: its state as icon and colour, and its name. One that runs a relay is square, with a sign of its own. */
export const MeshNode = memo(function MeshNode({ id, data: { name, state, relay } }: NodeProps<MeshNodeType>) {
  const lit = use(LitContext);
  const { icon: Shown, tone, word } = NODE_LOOKS[state];
  return (
    <div
      className={classes.node}
      data-dim={lit !== null && !lit.has(id)}
      title={relay === null ? `${name}: ${word}` : `${name}: ${word}, relay ${relay}`}
    >
      <span className={classes.mark} data-tone={tone} data-state={state} data-relay={relay !== null}>
        <Shown size={18} stroke={2} aria-hidden />
        {relay !== null && (
          <span className={classes.relay}>
            <IconAccessPoint size={14} stroke={2.25} aria-hidden />
          </span>
        )}
      </span>
      <span className={classes.name}>{name}</span>
    </div>
  );
});
