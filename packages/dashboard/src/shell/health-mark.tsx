import type { Overview } from '@meshwork/contract';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRead } from '../api/queries.ts';
import { useMay } from '../session/session.tsx';
import { Badge } from '../ui/badge.tsx';
import classes from './header.module.css';

/** Whether something needs attention, on every page. Links to the list. */
export function HealthMark() {
  const overview = useRead('overview.show', undefined, { enabled: useMay()('nodes:read') });
  if (overview.data === undefined) return null;
  return (
    <Link to="/" className={classes.health}>
      <Health {...overview.data.body} />
    </Link>
  );
}

function Health({ attention, attention_total }: Overview) {
  // The most urgent come first, so those are among the ones that are named.
  const critical = attention.filter(({ severity }) => severity === 'critical').length;
  if (critical > 0) return <Badge tone="bad" icon={IconAlertTriangle} word={`${critical} critical`} />;
  if (attention_total > 0) return <Badge tone="watch" icon={IconAlertTriangle} word={`${attention_total} to review`} />;
  return <Badge tone="good" icon={IconCircleCheck} word="Healthy" />;
}
