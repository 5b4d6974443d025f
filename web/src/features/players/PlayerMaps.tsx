import { useState } from 'react'
import { MapGrid } from '@/features/maps/MapGrid'
import { useSearchMapsQuery } from '@/shared/api'
import { problemMessage } from '@/shared/api/problem'
import { Button, ButtonLink } from '@/shared/components/Button'
import { EmptyState } from '@/shared/components/EmptyState'
import { ProblemAlert } from '@/shared/components/ProblemAlert'
import { cx } from '@/shared/lib/cx'
import text from '@/shared/theme/text.module.css'
import styles from './Profile.module.css'

const AT_FIRST = 12
// The server lists up to 100 at once.
const MOST = 96

interface Props {
  player: { _id: string; name: string }
}

// PlayerMaps shows what a player has built, newest first. A button shows twice as many; where that is not enough, it leads to the search.
export function PlayerMaps({ player }: Props) {
  const [limit, setLimit] = useState(AT_FIRST)
  const { currentData, data, error, refetch, isFetching } = useSearchMapsQuery({
    authorId: player._id,
    limit,
    sortBy: 'createdAt',
    sortDir: 'desc',
  })
  const maps = data?.data
  // What is there stays where it cannot be loaded again.
  const moreFailed = error && !currentData
  return (
    <section>
      <h2 className={cx(text.heading, styles.heading)}>Maps</h2>
      {error && !maps ? (
        <ProblemAlert text={problemMessage(error, 'Failed to fetch maps')} onRetry={refetch} />
      ) : maps?.length === 0 ? (
        <EmptyState title="No maps yet." hint="Maps that the player has made are shown here." />
      ) : (
        <MapGrid maps={maps} skeletons={4} />
      )}
      {data && (moreFailed || data.pagination.total > limit) && (
        <div className={styles.more}>
          {moreFailed ? (
            <ProblemAlert text={problemMessage(error, 'Failed to fetch maps')} onRetry={refetch} />
          ) : limit < MOST ? (
            <Button look="outline" busy={isFetching} onClick={() => setLimit(limit * 2)}>
              More maps
            </Button>
          ) : (
            <ButtonLink look="outline" to={`/map-search?author=${encodeURIComponent(player.name)}`}>
              Search all maps of {player.name}
            </ButtonLink>
          )}
        </div>
      )}
    </section>
  )
}
