import { type Problem, problemData, problemMessage } from '@/shared/api/problem'

// refusalText says why a code was not taken, and how many tries are left where the server tells.
export function refusalText(refusal: Problem): string {
  const message = problemMessage(refusal, 'Verification failed. Please check your code.')
  const { triesLeft } = problemData(refusal)
  if (typeof triesLeft !== 'number') return message
  return `${message} ${triesLeft === 1 ? '1 try' : `${triesLeft} tries`} left.`
}
