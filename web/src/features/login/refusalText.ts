import { errorText, type QueryError, refusalOf } from '@/api/error'

/** Returns why a code was refused, and how many tries are left where the server says so. */
export function refusalText(error: QueryError): string {
  const message = errorText(error, 'Verification failed. Please check your code.')
  const triesLeft = refusalOf(error)?.data.triesLeft
  if (typeof triesLeft !== 'number') return message
  return `${message} ${triesLeft === 1 ? '1 try' : `${triesLeft} tries`} left.`
}
