import { type Elements, Stack, VisuallyHidden } from '@/ui'
import { PageHeading } from '@/ui/headings'
import { ErrorAlert } from '@/ui/messages'
import { errorText, type Fallback, isNotFound, type QueryError } from './error'

/** The state of a query whose answer has a thing, or a page of a list. */
export interface QueryState<Answer extends { data: unknown }> {
  currentData?: Answer | undefined
  /** What was asked for, or what was shown before it while it loads. */
  data?: Answer | undefined
  error?: QueryError
  isFetching?: boolean
  refetch: () => unknown
}

interface Props<Answer extends { data: unknown }> {
  query: QueryState<Answer>
  /** What is shown stays while another is loaded, and where that fails. */
  keep?: boolean
  /** The heading of a page that has nothing to show; a part of a page has none. */
  title?: string
  messages?: Fallback | undefined
  skeleton: Elements
  /** Says that there is no such thing. */
  missing?: Elements
  /** Reports whether an error means that. */
  isMissing?: (error: QueryError) => boolean
  /** Renders the thing, with the whole answer for what is beside it. */
  children: (thing: Answer['data'], answer: Answer) => Elements
}

/** A single thing in all its states: loading, missing, failed, and shown. Listing is the same for lists. */
export function Loaded<Answer extends { data: unknown }>(props: Props<Answer>) {
  const { query, title, messages, skeleton, missing, isMissing = isNotFound, children } = props
  const answer = answerOf(props)
  if (!hasFailed(props)) return answer ? children(answer.data, answer) : skeleton
  if (missing && isMissing(query.error)) {
    return (
      <>
        {title && <VisuallyHidden as="h1">{title}</VisuallyHidden>}
        {missing}
      </>
    )
  }
  return (
    <Stack gap="4">
      {title && <PageHeading>{title}</PageHeading>}
      <QueryAlert query={query} messages={messages} />
    </Stack>
  )
}

type Asked<Answer extends { data: unknown }> = Pick<Props<Answer>, 'query' | 'keep' | 'isMissing'>

/** Reports whether Loaded has no thing to show, because there is none or because it could not be loaded. */
export function hasFailed<Answer extends { data: unknown }>(asked: Asked<Answer>): boolean {
  const { query, isMissing = isNotFound } = asked
  // The data of an earlier answer stay where a later one is an error, and an error while the thing is requested again.
  return isMissing(query.error) || (query.error !== undefined && !query.isFetching && !answerOf(asked))
}

const answerOf = <Answer extends { data: unknown }>({ query, keep }: Asked<Answer>) =>
  keep ? query.data : query.currentData

type AlertProps = Pick<Props<never>, 'messages'> & { query: Pick<QueryState<never>, 'error' | 'refetch'> }

/** Says why a query has failed, in the server's words where it sent any, with a button that tries again. */
export function QueryAlert({ query: { error, refetch }, messages }: AlertProps) {
  return <ErrorAlert text={errorText(error, messages)} onRetry={() => void refetch()} />
}
