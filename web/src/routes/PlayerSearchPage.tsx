import { PlayerSearch } from '@/features/players/PlayerSearch'
import { PageHeading, usePageTitle } from '@/ui/headings'

export default function PlayerSearchPage() {
  usePageTitle('Player Search')
  return (
    <>
      <PageHeading hint="Everybody who races and builds here.">Player Search</PageHeading>
      <PlayerSearch />
    </>
  )
}
