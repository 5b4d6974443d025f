import { PlayerSearch } from '@/features/players/PlayerSearch'
import { PageHeading } from '@/ui/PageHeading'
import { usePageTitle } from '@/ui/usePageTitle'

export default function PlayerSearchPage() {
  usePageTitle('Player Search')
  return (
    <>
      <PageHeading hint="Everybody who races and builds here.">Player Search</PageHeading>
      <PlayerSearch />
    </>
  )
}
