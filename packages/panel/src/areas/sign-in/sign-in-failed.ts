import { MeshError, type UserId } from '@meshwork/contract';

/** The answer is the same for every cause. The trail also gets the account, if there is one. */
export class SignInFailed extends MeshError {
  readonly user: UserId | null;

  constructor(user: UserId | null, detail = 'The name, password or code is incorrect.') {
    super('sign_in_failed', detail);
    this.user = user;
  }
}
