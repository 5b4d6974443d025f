import type { ReactNode } from 'react'
import { countText } from './countText'
import { EmptyMessage } from './EmptyMessage'
import { Button, Text } from './index'

interface Page<Item> {
  data: Item[]
  pagination: { total: number }
}

/** The part of a query's result that a listing shows. */
export interface ListQuery<Item> {
  /** The page that was asked for. */
  currentData?: Page<Item> | undefined
  /** The page that was asked for, or the one before it while it loads. */
  data?: Page<Item> | undefined
  error?: unknown
  isFetching: boolean
  refetch: () => unknown
}

const isLoading = ({ currentData, isFetching, error }: ListQuery<unknown>) => !currentData && (isFetching || !error)

interface StatusProps {
  query: ListQuery<unknown>
  /** What is listed, in the singular. */
  noun: string
  loadingText?: string
}

/** Announces that a list is loading, or how many entries it has. */
export function ListingStatus({ query, noun, loadingText = `Loading ${noun}s...` }: StatusProps) {
  return (
    <Text role="status" textStyle="sm" color="fg.muted" minH="5">
      {isLoading(query) ? loadingText : query.currentData && countText(query.currentData.pagination.total, noun)}
    </Text>
  )
}

interface Props<Item> {
  query: ListQuery<Item>
  /** Replaces the list where the request failed; an alert has a text and a retry button. */
  failed: ReactNode
  noun: string
  /** Leads from a page past the end to the first. */
  onFirstPage?: () => void
  empty: ReactNode
  pagination?: ReactNode
  /** Renders the rows, or their skeletons for undefined. */
  children: (items: Item[] | undefined) => ReactNode
}

/** A list in all its states: loading, failed, past the last page, empty, and with rows and pages. */
export function Listing<Item>(props: Props<Item>) {
  const { query, failed, noun, onFirstPage, empty, pagination, children } = props
  const items = query.currentData?.data
  if (query.error && !items && !isLoading(query)) return failed
  if (items?.length === 0 && query.currentData && query.currentData.pagination.total > 0) {
    return (
      <EmptyMessage title={`This page is past the last ${noun}.`}>
        {onFirstPage && <Button onClick={onFirstPage}>First page</Button>}
      </EmptyMessage>
    )
  }
  if (items?.length === 0) return empty
  return (
    <>
      {children(items)}
      {pagination}
    </>
  )
}
