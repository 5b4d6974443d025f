import { msg, plural, t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { useSearchPlayersQuery } from '@/api'
import { QueryAlert } from '@/api/One'
import { PlayerCard, PlayerCardSkeleton } from '@/entities/player/PlayerCard'
import { paths } from '@/routes/paths'
import { Grid, Stack } from '@/ui'
import { rememberQuery } from '@/ui/links'
import { Listing, ListingStatus, pageOf, range } from '@/ui/lists'
import { EmptyMessage } from '@/ui/messages'
import { NameSearch } from '@/ui/NameSearch'
import { NumberedPagination } from '@/ui/NumberedPagination'
import { NAME_LENGTH, nameOf, PLAYERS_PAGE_SIZE, playersPage } from './queries'

const messages = { refused: msg`Failed to fetch players`, unreachable: msg`Error searching players` }

export function PlayerSearch() {
  const [address, setAddress] = useSearchParams()
  const { search } = useLocation()
  useEffect(() => rememberQuery(paths.playerSearch, search), [search])
  const name = nameOf(address)
  const query = useSearchPlayersQuery(playersPage(address))

  const show = (name: string, page: number) => {
    setAddress({ ...(name && { name }), ...(page > 1 && { page: String(page) }) }, { preventScrollReset: true })
  }
  const goTo = (page: number) => {
    show(name, page)
    scrollTo({ top: 0 })
  }
  return (
    <Stack gap="4">
      <NameSearch
        name={name}
        onSearch={(name) => show(name, 1)}
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
        pastEnd={t`This page is past the last player.`}
        failed={<QueryAlert query={query} messages={messages} />}
        onFirstPage={() => goTo(1)}
        empty={<EmptyMessage title={t`No players found.`} hint={t`Only players who have logged in once are listed.`} />}
      >
        {(players) => (
          <Grid columns={{ base: 1, sm: 2, lg: 3, xl: 4 }} gap={{ base: '3', md: '4' }} aria-busy={!players}>
            {players
              ? players.map((player) => <PlayerCard key={player._id} player={player} />)
              : range(PLAYERS_PAGE_SIZE).map((i) => <PlayerCardSkeleton key={i} />)}
          </Grid>
        )}
      </Listing>
      <NumberedPagination
        page={pageOf(address)}
        pages={query.data?.pagination.pages ?? 1}
        label={t`Pages of players`}
        onPage={goTo}
      />
    </Stack>
  )
}
