import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { useSearchPlayersQuery } from '@/api'
import { Listing, ListingStatus } from '@/api/Listing'
import { PlayerCard, PlayerCardSkeleton } from '@/entities/player/more/PlayerCard'
import { paths } from '@/routes/paths'
import { Button, Grid, Stack } from '@/ui'
import { useAddress } from '@/ui/address'
import { rememberQuery } from '@/ui/links'
import { range } from '@/ui/lists'
import { EmptyMessage } from '@/ui/messages'
import { NameSearch } from '@/ui/more/NameSearch'
import { NumberedPagination } from '@/ui/more/NumberedPagination'
import { NAME_LENGTH, PLAYERS_PAGE_SIZE, playersAddress, playersPage } from './queries'

const messages = { refused: msg`Failed to fetch players`, unreachable: msg`Error searching players` }

export function PlayerSearch() {
  const [view, show] = useAddress(playersAddress)
  const { search } = useLocation()
  useEffect(() => rememberQuery(paths.playerSearch, search), [search])
  const query = useSearchPlayersQuery(playersPage(view))
  return (
    <Stack gap="4">
      <NameSearch
        name={view.name}
        onSearch={(name) => show({ name })}
        label={t`Player name`}
        placeholder={t`Search players by name`}
        maxLength={NAME_LENGTH}
      />
      <ListingStatus
        query={query}
        loading={t`Loading players...`}
        total={(count) => plural(count, { one: '# player', other: '# players' })}
      />
      <Listing
        query={query}
        pages={{
          Pagination: NumberedPagination,
          page: view.page,
          label: t`Pages of players`,
          pastEnd: t`This page is past the last player.`,
          onPage: (page) => show({ page }, 'top'),
        }}
        messages={messages}
        empty={
          <EmptyMessage
            title={t`No players found.`}
            hint={t`Only players who have logged in at least once are listed.`}
          >
            {view.name && (
              <Button variant="outline" onClick={() => show({ name: '' })}>
                <Trans>Clear all filters</Trans>
              </Button>
            )}
          </EmptyMessage>
        }
      >
        {(players) => (
          <Grid columns={{ base: 1, sm: 2, lg: 3, xl: 4 }} gap={{ base: '3', md: '4' }} aria-busy={!players}>
            {players
              ? players.map((player) => <PlayerCard key={player._id} player={player} />)
              : range(PLAYERS_PAGE_SIZE).map((i) => <PlayerCardSkeleton key={i} />)}
          </Grid>
        )}
      </Listing>
    </Stack>
  )
}
