import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { type Player, useSearchMapsQuery } from '@/api'
import { Listing } from '@/api/Listing'
import { QueryAlert } from '@/api/Loaded'
import { MapGrid } from '@/entities/map/more/MapGrid'
import { paths } from '@/routes/paths'
import { Button, Center, Name } from '@/ui'
import { ButtonLink } from '@/ui/links'
import { EmptyMessage } from '@/ui/messages'
import { FIRST_MAPS, playerMaps } from './queries'

// The server lists up to 100 at once.
const MAX_MAPS = 96

/** A player's maps, the newest first. A button doubles their number; beyond its maximum it leads to the search. */
export default function PlayerMaps({ player }: { player: Player }) {
  const [limit, setLimit] = useState(FIRST_MAPS)
  const query = useSearchMapsQuery(playerMaps(player._id, limit))
  const { currentData, data, error, isFetching } = query
  const failed = <QueryAlert query={query} />
  // The maps that are shown stay while more are loaded, and where that fails.
  const moreFailed = error && !currentData && data
  return (
    <>
      <Listing
        query={query}
        items={data?.data}
        failed={failed}
        empty={<EmptyMessage title={t`No maps yet.`} hint={t`Maps made by this player appear here.`} />}
      >
        {(maps) => <MapGrid maps={maps} skeletons={4} />}
      </Listing>
      {moreFailed ? (
        <Center mt="4">{failed}</Center>
      ) : (
        data &&
        data.pagination.total > limit && (
          <Center mt="4">
            {limit < MAX_MAPS ? (
              <Button variant="outline" loading={isFetching} onClick={() => setLimit(limit * 2)}>{t`More maps`}</Button>
            ) : (
              <ButtonLink to={paths.mapsBy(player.name)} variant="outline">
                <Trans>
                  Search all maps of <Name>{player.name}</Name>
                </Trans>
              </ButtonLink>
            )}
          </Center>
        )
      )}
    </>
  )
}
