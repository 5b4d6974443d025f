import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useListRecordsQuery } from '@/shared/api'
import { isNotFound, problemText } from '@/shared/api/problem'
import { Button, ButtonLink } from '@/shared/components/Button'
import { EmptyState } from '@/shared/components/EmptyState'
import { TargetIcon } from '@/shared/components/icons'
import { PageSteps } from '@/shared/components/PageSteps'
import { ProblemAlert } from '@/shared/components/ProblemAlert'
import { Stack } from '@/shared/components/Stack'
import { countText } from '@/shared/lib/countText'
import { cx } from '@/shared/lib/cx'
import type { Medals } from '@/shared/lib/medals'
import { pageOf } from '@/shared/lib/pageOf'
import { useProblemToast } from '@/shared/lib/useProblemToast'
import { useSession } from '@/shared/session/useSession'
import text from '@/shared/theme/text.module.css'
import styles from './Leaderboard.module.css'
import { RunTable } from './RunTable'
import { useAwaitedRun } from './useAwaitedRun'

const PAGE_SIZE = 10
const FAILED = {
  failed: 'Failed to load leaderboard data',
  broken: 'Something went wrong while loading data',
}
const order = { sortBy: 'finishTime,finishTimeStamp', sortDir: 'asc,asc' } as const

interface Props {
  mapId: string
  // Undefined while the map loads: the medals come later then.
  medals: Medals | undefined
}

// Leaderboard ranks everybody's best run on a map, ten to a page. The page stands in the address.
export function Leaderboard({ mapId, medals }: Props) {
  const [query, setQuery] = useSearchParams()
  const page = pageOf(query)
  const { currentData, data, error, isFetching, refetch } = useListRecordsQuery({
    map: mapId,
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
    ...order,
  })
  const awaited = useAwaitedRun(currentData?.data.length === 0 || isNotFound(error), refetch)
  // A map that is missing is said by its page.
  useProblemToast(isNotFound(error) ? undefined : error, FAILED)
  const { ownId, ownPage } = useOwnPlace(mapId)
  const [jumping, setJumping] = useState(false)

  const runs = currentData?.data
  const pages = Math.max(1, Math.ceil((data?.pagination.total ?? 0) / PAGE_SIZE))
  const goTo = (to: number) => setQuery(to > 1 ? { page: String(to) } : {}, { preventScrollReset: true })

  // The row is looked for once its page is there.
  useEffect(() => {
    if (!jumping || !runs || page !== ownPage) return
    const row = document.querySelector<HTMLElement>('[data-own-run]')
    row?.scrollIntoView({ block: 'center' })
    row?.focus({ preventScroll: true })
    setJumping(false)
  }, [jumping, runs, page, ownPage])

  const jump = () => {
    setJumping(true)
    if (ownPage && page !== ownPage) goTo(ownPage)
  }
  const table = { medals, ownId, rowsExpected: PAGE_SIZE, firstRank: (page - 1) * PAGE_SIZE + 1 }
  const loading = !runs && (isFetching || !error)
  return (
    <Stack as="section" gap={3}>
      <div className={styles.line}>
        <h2 className={text.heading}>Leaderboard</h2>
        <p role="status" className={cx(text.small, text.muted)}>
          {awaited
            ? 'Your run is being ranked...'
            : loading
              ? 'Loading leaderboard data...'
              : data && countText(data.pagination.total, 'player')}
        </p>
        {ownPage !== null && (
          <Button size="sm" look="outline" onClick={jump}>
            <TargetIcon /> My run
          </Button>
        )}
      </div>
      {awaited ? (
        <RunTable {...table} runs={undefined} />
      ) : error && !runs && !loading ? (
        <ProblemAlert text={problemText(error, FAILED)} onRetry={refetch} />
      ) : runs?.length === 0 && page === 1 ? (
        <EmptyState
          title="No records found for this map"
          hint="Nobody has handed in a run. Yours would be the first."
        >
          <ButtonLink to={`/replay-submit/${mapId}`}>Submit Record</ButtonLink>
        </EmptyState>
      ) : runs?.length === 0 ? (
        <EmptyState title="This page is past the last run.">
          <Button onClick={() => goTo(1)}>First</Button>
        </EmptyState>
      ) : (
        <>
          <RunTable {...table} runs={runs} />
          <PageSteps page={page} pages={pages} label="Pages of the leaderboard" onPage={goTo} />
        </>
      )}
    </Stack>
  )
}

// useOwnPlace tells who is logged in, and the page of the leaderboard that their run stands on.
function useOwnPlace(mapId: string): { ownId: string | null; ownPage: number | null } {
  const ownId = useSession()?._id ?? null
  const { data } = useListRecordsQuery(
    { map: mapId, player: ownId ?? '', limit: 1, offset: 0, ...order },
    { skip: !ownId },
  )
  const rank = ownId ? data?.data[0]?.rank : undefined
  return { ownId, ownPage: rank ? Math.ceil(rank / PAGE_SIZE) : null }
}
