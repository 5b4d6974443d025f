import { useState } from 'react'
import { MapGrid } from '@/features/maps/MapGrid'
import { useSearchMapsQuery } from '@/shared/api'
import { problemMessage } from '@/shared/api/problem'
import { Button } from '@/shared/components/Button'
import { EmptyState } from '@/shared/components/EmptyState'
import { ProblemAlert } from '@/shared/components/ProblemAlert'
import { cx } from '@/shared/lib/cx'
import text from '@/shared/theme/text.module.css'
import styles from './Profile.module.css'

const STEP = 12
const MOST = 96

// PlayerMaps shows what a player has built, newest first; a button shows more.
export function PlayerMaps({ playerId }: { playerId: string }) {
  const [limit, setLimit] = useState(STEP)
  const { data, error, refetch, isFetching } = useSearchMapsQuery({
    authorId: playerId,
    limit,
    sortBy: 'createdAt',
    sortDir: 'desc',
  })
  const maps = data?.data
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
      {data && data.pagination.total > limit && limit < MOST && (
        <div className={styles.more}>
          <Button look="outline" busy={isFetching} onClick={() => setLimit(limit + STEP)}>
            More maps
          </Button>
        </div>
      )}
    </section>
  )
}
