import { MeshError, type UserId } from '@meshwork/contract';

/** Says the same to everybody; the trail also hears whose account it was, if there is one. */
export class SignInFailed extends MeshError {
  readonly user: UserId | null;

  constructor(user: UserId | null, detail = 'The name, the password or the code is not right.') {
    super('sign_in_failed', detail);
    this.user = user;
  }
}
