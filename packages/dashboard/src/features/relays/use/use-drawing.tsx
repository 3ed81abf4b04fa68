import type { Relay } from '@meshwork/contract';
import { type ReactNode, useState } from 'react';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { plural } from '../../../ui/plural.ts';
import { RelayState } from '../../../ui/state.tsx';
import { GroupLink } from './group-link.tsx';
import classes from './use-drawing.module.css';
import type { RelayUse, UsingGroup } from './who-uses.ts';

interface UseDrawingProps {
  readonly relays: readonly Relay[];
  readonly groups: readonly UsingGroup[];
  readonly uses: readonly RelayUse[];
}

/** What is pointed at: a group by its place, or a relay by its name. */
type Looked = number | string | null;

/** As high as a box with the space below it. */
const ROW_PX = 56;
/** Of the lines, which are stretched to the width there is. */
const WIDTH = 100;
/** Between the lines of a group that has a relay both as its relay and as its standby. */
const APART = 5;

/** Groups of nodes on the left, relays on the right, and a line for each use: the thicker, the more nodes. */
export function UseDrawing({ relays, groups, uses }: UseDrawingProps) {
  const [looked, setLooked] = useState<Looked>(null);
  const inOrder = [...relays].sort(
    (one, other) => (one.site ?? '~').localeCompare(other.site ?? '~') || one.name.localeCompare(other.name),
  );
  const height = Math.max(groups.length, inOrder.length) * ROW_PX;
  const yOf = (place: number, count: number) => ((place + 0.5) * height) / count;
  const places = new Map(inOrder.map(({ name }, place) => [name, place]));
  const isLit = (use: RelayUse) => looked === null || use.group === looked || use.relay === looked;
  return (
    <figure className={classes.figure}>
      <div className={classes.drawing} style={{ height }}>
        <ul className={classes.side} aria-label="Nodes">
          {groups.map((group, place) => (
            <Box key={group.name} y={yOf(place, groups.length)} onLook={(on) => setLooked(on ? place : null)}>
              <GroupText group={group} />
            </Box>
          ))}
        </ul>
        <svg className={classes.lines} viewBox={`0 0 ${WIDTH} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {uses.flatMap((use) => {
            const place = places.get(use.relay);
            // A relay that was made since the list was read.
            if (place === undefined) return [];
            const from = yOf(use.group, groups.length);
            const to = yOf(place, inOrder.length);
            const isBoth = use.homes > 0 && use.standbys > 0;
            const line = (kind: 'home' | 'standby', count: number, shift: number) => (
              <path
                key={`${use.group} ${use.relay} ${kind}`}
                d={curve(from + shift, to + shift)}
                className={classes.line}
                data-use={kind}
                data-dim={!isLit(use)}
                strokeWidth={thickness(count)}
              />
            );
            return [
              ...(use.homes === 0 ? [] : [line('home', use.homes, isBoth ? -APART : 0)]),
              ...(use.standbys === 0 ? [] : [line('standby', use.standbys, isBoth ? APART : 0)]),
            ];
          })}
        </svg>
        <ul className={classes.side} aria-label="Relays">
          {inOrder.map((relay, place) => (
            <Box key={relay.name} y={yOf(place, inOrder.length)} onLook={(on) => setLooked(on ? relay.name : null)}>
              <RelayText relay={relay} />
            </Box>
          ))}
        </ul>
      </div>
      <figcaption className={classes.legend}>
        <LegendLine use="home">Relay</LegendLine>
        <LegendLine use="standby">Standby</LegendLine>
        <span>The thicker, the more nodes</span>
      </figcaption>
    </figure>
  );
}

function curve(from: number, to: number): string {
  return `M0 ${from}C${WIDTH / 2} ${from} ${WIDTH / 2} ${to} ${WIDTH} ${to}`;
}

/** Ours: one node is a line, a thousand are a broad one. */
function thickness(count: number): number {
  return Math.min(12, 1 + Math.sqrt(count) * 0.6);
}

interface BoxProps {
  /** Where its middle is. */
  readonly y: number;
  readonly onLook: (on: boolean) => void;
  readonly children: ReactNode;
}

function Box({ y, onLook, children }: BoxProps) {
  return (
    <li
      className={classes.box}
      style={{ top: y }}
      onMouseEnter={() => onLook(true)}
      onMouseLeave={() => onLook(false)}
      onFocus={() => onLook(true)}
      onBlur={() => onLook(false)}
    >
      {children}
    </li>
  );
}

function GroupText({ group }: { readonly group: UsingGroup }) {
  const { node, nodes, without } = group;
  const isOne = node !== null;
  return (
    <>
      <GroupLink group={group} className={classes.name} />
      <span className={classes.count}>
        {!isOne && plural(nodes, 'node')}
        {without > 0 && (isOne ? 'no relay' : `, ${without.toLocaleString()} without relay`)}
      </span>
    </>
  );
}

function RelayText({ relay }: { readonly relay: Relay }) {
  const { name, site } = relay;
  return (
    <>
      <span className={classes.relay}>
        <AnchorLink to="/relays/$name" params={{ name }} className={classes.name} title={name}>
          {name}
        </AnchorLink>
        {site !== null && <span className={classes.count}>{site}</span>}
      </span>
      <span>
        <RelayState relay={relay} />
      </span>
    </>
  );
}

function LegendLine({ use, children }: { readonly use: 'home' | 'standby'; readonly children: string }) {
  return (
    <span className={classes.entry}>
      <svg width={36} height={8} aria-hidden="true">
        <path d="M0 4H36" className={classes.line} data-use={use} strokeWidth={2} />
      </svg>
      {children}
    </span>
  );
}
