import { useParams } from '@tanstack/react-router';
import { useRead } from '../../../api/queries.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { WafVerdict } from '../../../ui/state.tsx';
import { Proposal } from '../exclusions/proposal.tsx';
import classes from '../waf.module.css';
import { VERDICT_HELP } from '../waf-words.ts';
import { EventFacts } from './event-facts.tsx';
import { Matches } from './matches.tsx';

export default function EventPage() {
  const { id = '' } = useParams({ strict: false });
  const query = useRead('waf.event', { params: { id } });
  const event = query.data?.body;
  return (
    <Page
      title={event === undefined ? 'WAF event' : `Request to ${event.host}`}
      back={{ to: '/waf/events', label: 'WAF events' }}
      subtitle={
        event !== undefined && (
          <div className={classes.head}>
            <WafVerdict verdict={event.verdict} />
            <span>{VERDICT_HELP[event.verdict]}</span>
          </div>
        )
      }
    >
      <Loaded query={query}>
        {(shown) => (
          <div className={classes.columns}>
            <div className={classes.column}>
              <Matches matches={shown.matches} left_out={shown.matches_left_out} />
              <Proposal event={shown} />
            </div>
            <div className={classes.column}>
              <EventFacts event={shown} />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}
