import { useSearchParams } from 'react-router'
import { useSearchPlayersQuery } from '@/shared/api'
import { problemText } from '@/shared/api/problem'
import { Button } from '@/shared/components/Button'
import { EmptyState } from '@/shared/components/EmptyState'
import { NameSearch } from '@/shared/components/NameSearch'
import { Pager } from '@/shared/components/Pager'
import { ProblemAlert } from '@/shared/components/ProblemAlert'
import { Stack } from '@/shared/components/Stack'
import { countText } from '@/shared/lib/countText'
import { pageOf } from '@/shared/lib/pageOf'
import text from '@/shared/theme/text.module.css'
import { PlayerCard, PlayerCardSkeleton } from './PlayerCard'
import styles from './PlayerSearch.module.css'

const PAGE_SIZE = 12
const FAILED = { failed: 'Failed to fetch players', broken: 'Error searching players' }

export function PlayerSearch() {
  const [query, setQuery] = useSearchParams()
  const name = (query.get('name') ?? '').slice(0, 64)
  const page = pageOf(query)
  const { currentData, data, isFetching, error, refetch } = useSearchPlayersQuery({
    ...(name && { name }),
    page,
    limit: PAGE_SIZE,
    sortBy: 'name',
    sortDir: 'asc',
  })

  const show = (name: string, page: number) => {
    setQuery({ ...(name && { name }), ...(page > 1 && { page: String(page) }) }, { preventScrollReset: true })
  }
  const goTo = (page: number) => {
    show(name, page)
    scrollTo({ top: 0 })
  }
  const players = currentData?.data
  const loading = !players && (isFetching || !error)
  return (
    <Stack gap={4}>
      <div className={styles.bar}>
        <NameSearch
          name={name}
          onSearch={(name) => show(name, 1)}
          label="Player name"
          placeholder="Search players by name"
          maxLength={64}
        />
      </div>
      <p role="status" className={text.status}>
        {loading && 'Loading players...'}
        {players && countText(currentData.pagination.total, 'player')}
      </p>
      {error && !players && !loading ? (
        <ProblemAlert text={problemText(error, FAILED)} onRetry={refetch} />
      ) : players?.length === 0 && currentData && currentData.pagination.total > 0 ? (
        <EmptyState title="This page is past the last player.">
          <Button onClick={() => goTo(1)}>First page</Button>
        </EmptyState>
      ) : players?.length === 0 ? (
        <EmptyState title="No players found." hint="Only players who have logged in once are listed." />
      ) : (
        <div className={styles.grid} aria-busy={loading}>
          {players
            ? players.map((player) => <PlayerCard key={player._id} player={player} />)
            : Array.from({ length: PAGE_SIZE }, (_, i) => i).map((i) => <PlayerCardSkeleton key={i} />)}
        </div>
      )}
      <Pager page={page} pages={data?.pagination.pages ?? 1} label="Pages of players" onPage={goTo} />
    </Stack>
  )
}
