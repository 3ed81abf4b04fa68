/**
 * A table of any length: only the rows in sight are drawn. It is one to screen readers too, with all rows counted, and
 * columns that matter less make room where the place is narrow.
 */
import { Skeleton } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import classes from './virtual-table.module.css';

export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  /** As of `grid-template-columns`: `12rem`, `2fr`. Absent: an equal share. */
  readonly width?: string;
  /** 1 is always there; 2 needs a place of 600 pixels, 3 one of 960. Absent: 1. */
  readonly priority?: 1 | 2 | 3;
  readonly render: (row: Row) => ReactNode;
}

interface VirtualTableProps<Row> {
  /** What it is a table of. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
  /** A row was chosen, by click or Enter. */
  readonly onOpen?: (row: Row) => void;
  readonly more?: () => void;
  readonly hasMore?: boolean;
  /** True: nothing is known yet, which is not the same as nothing being there. */
  readonly loading?: boolean;
  /** What to show in place of rows. */
  readonly empty: ReactNode;
  /** At most this high. Absent: as the window allows. */
  readonly height?: string | number;
}

const NEEDED_PX = { 1: 0, 2: 600, 3: 960 } as const;
const ESTIMATED_ROW_PX = 44;
/** How many rows before the end the next page is requested. */
const AHEAD = 40;

export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, rows, rowId, onOpen, more, hasMore = false, loading = false, empty, height } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const size = useElementSize<HTMLDivElement>();
  const [active, setActive] = useState(0);
  const columns = props.columns.filter(({ priority = 1 }) => size.width === 0 || size.width >= NEEDED_PX[priority]);
  const template = columns.map(({ width }) => width ?? 'minmax(0, 1fr)').join(' ');
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATED_ROW_PX,
    getItemKey: (index) => keyOf(rows, rowId, index),
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (hasMore && last >= rows.length - AHEAD) more?.();
  }, [hasMore, last, rows.length, more]);

  const open = (index: number) => {
    const row = rows[index];
    if (row !== undefined) onOpen?.(row);
  };
  const goTo = (index: number) => {
    const wanted = Math.max(0, Math.min(rows.length - 1, index));
    setActive(wanted);
    virtual.scrollToIndex(wanted);
    const focus = () => rowElement(scroller.current, wanted)?.focus({ preventScroll: true });
    // At once, so that the next key is for this row; one that is far away is drawn by the next frame.
    if (rowElement(scroller.current, wanted) === null) requestAnimationFrame(focus);
    else focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, index: number) => {
    if (event.target !== event.currentTarget) return; // a link or button inside the row has its own keys
    const move = MOVES[event.key];
    if (move !== undefined) goTo(move(index, rows.length));
    else if (event.key === 'Enter') open(index);
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent<HTMLElement>, index: number) => {
    setActive(index);
    if (!isAboutSomethingElse(event)) open(index);
  };

  const focusable = Math.min(active, rows.length - 1);
  const drawn = items.some(({ index }) => index === focusable) ? focusable : items[0]?.index;
  return (
    <div
      ref={useMergedRef(scroller, size.ref)}
      className={classes.scroller}
      style={{ maxHeight: height ?? 'max(20rem, calc(100dvh - 15rem))' }}
    >
      <table
        className={classes.table}
        aria-label={label}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        aria-colcount={columns.length}
        aria-busy={loading}
      >
        <thead className={classes.head}>
          <tr aria-rowindex={1} className={classes.row} style={{ gridTemplateColumns: template }}>
            {columns.map(({ id, header }) => (
              <th key={id} scope="col" className={classes.header}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={classes.body} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <tr
                key={key}
                ref={virtual.measureElement}
                aria-rowindex={index + 2}
                data-index={index}
                data-opens={onOpen !== undefined}
                tabIndex={index === drawn ? 0 : -1}
                className={classes.row}
                style={{ gridTemplateColumns: template, transform: `translateY(${start}px)` }}
                onClick={(event) => onClick(event, index)}
                onKeyDown={(event) => onKeyDown(event, index)}
                onFocus={() => setActive(index)}
              >
                {columns.map((column) => (
                  <td key={column.id} className={classes.cell}>
                    {column.render(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      {rows.length === 0 && (loading ? <Outline /> : empty)}
    </div>
  );
}

/** While a list shrinks, the virtualizer may still ask for what has gone. */
function keyOf<Row>(rows: readonly Row[], rowId: (row: Row) => string, index: number): string | number {
  const row = rows[index];
  return row === undefined ? index : rowId(row);
}

const PAGE = 10;
const MOVES: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  PageDown: (index) => index + PAGE,
  PageUp: (index) => index - PAGE,
  Home: () => 0,
  End: (_, count) => count - 1,
};

function rowElement(scroller: HTMLElement | null, index: number): HTMLElement | null {
  return scroller?.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? null;
}

/** The click was for a link inside the row, or text is selected to copy it. */
function isAboutSomethingElse(event: MouseEvent<HTMLElement>): boolean {
  if (event.target instanceof Element && event.target.closest('a, button, input, label, [role="menu"]') !== null) {
    return true;
  }
  return window.getSelection()?.type === 'Range';
}

function Outline() {
  return (
    <div className={classes.outline} role="status" aria-label="Loading">
      {Array.from({ length: 6 }, (_, index) => `line ${index}`).map((key) => (
        <Skeleton key={key} height={20} />
      ))}
    </div>
  );
}
