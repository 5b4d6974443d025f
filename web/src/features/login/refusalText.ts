import { plural, t } from '@lingui/core/macro'
import { errorText, type QueryError, refusalOf } from '@/api/error'

/** Returns why a code was refused, and how many tries are left where the server says so. */
export function refusalText(error: QueryError): string {
  const message = errorText(error, t`Verification failed. Please check your code.`)
  const triesLeft = refusalOf(error)?.data.triesLeft
  if (typeof triesLeft !== 'number') return message
  return plural(triesLeft, { one: `${message} # try left.`, other: `${message} # tries left.` })
}
