import type { Applied, AppliedSection, Command, HeartbeatReply } from '@meshwork/contract';
import type { DataPlane } from '../data-plane/data-plane.ts';
import type { ReceivedView } from '../view/received-view.ts';
import { Commands } from './commands.ts';
import { Reconciler } from './reconciler.ts';
import type { Reporter } from './reporter.ts';

interface WorkOptions<V extends ReceivedView> {
  readonly view: V;
  readonly data_plane: DataPlane<V>;
  readonly reporter: Reporter;
  /** Called when a piece of work has ended that left news in the reporter. */
  readonly ended: () => void;
  /** Called with what came of a section. */
  readonly applied?: ((section: AppliedSection, applied: Applied) => void) | undefined;
}

/** What an answer asks for, being done: sections are applied and commands run, beside the heartbeats. */
export class Work<V extends ReceivedView> {
  readonly #view: V;
  readonly #reconciler: Reconciler<V>;
  readonly #commands: Commands;
  readonly #ended: () => void;
  #pieces = 0;
  /** Whether anything came of it that the coordinator does not know. */
  #news = false;

  constructor({ view, data_plane, reporter, ended, applied: observe }: WorkOptions<V>) {
    this.#view = view;
    this.#ended = ended;
    this.#reconciler = new Reconciler(data_plane, view, (section, applied) => {
      if (reporter.applied(section, applied)) this.#news = true;
      observe?.(section, applied);
    });
    // The new key is noted before the result is: no heartbeat may say that it is done and leave out the key.
    const rekey = async ({ id }: Command) => {
      reporter.report({ wireguard_key: await data_plane.rekey(id) });
      return undefined;
    };
    const diagnose = () => data_plane.diagnose();
    this.#commands = new Commands({ rekey, diagnose }, (result) => {
      reporter.result(result);
      this.#news = true;
    });
  }

  get under_way(): boolean {
    return this.#pieces > 0;
  }

  /** See `Reconciler`. */
  get settled(): { [S in AppliedSection]?: Applied } {
    return this.#reconciler.settled;
  }

  /** Takes an answer in and begins with what it asks for. Says whether it asks for anything. */
  begin(reply: HeartbeatReply): boolean {
    const changed = this.#view.take(reply);
    this.#do(this.#commands.take(this.#view.commands));
    this.#do(this.#reconciler.reconcile(changed));
    return changed.length > 0 || reply.commands !== undefined;
  }

  /** Applies sections anew that were applied before and are not in effect any more. */
  mend(drifted: readonly AppliedSection[]): void {
    this.#do(this.#reconciler.reconcile(drifted.filter((section) => this.#view.revisionOf(section) > 0)));
  }

  /** No piece of work rejects: what goes wrong with it is reported to the coordinator. */
  #do(piece: Promise<void>): void {
    this.#pieces += 1;
    void piece.then(() => {
      this.#pieces -= 1;
      if (!this.#news) return;
      this.#news = false;
      this.#ended();
    });
  }
}
