import { Flex, Text } from '@chakra-ui/react'
import { Avatar } from './Avatar'
import { TextLink } from './TextLink'

interface Props {
  player: { _id: string; name: string; skinImageUrl?: string | null; skinColor?: string | null }
  size?: number
}

// PlayerName is an avatar and a name that lead to the player's profile.
export function PlayerName({ player, size = 7 }: Props) {
  return (
    <Flex align="center" gap="2" minW="0">
      <Avatar player={player} size={size} />
      <TextLink to={`/player/${player._id}`} color="fg" minW="0">
        <Text as="span" truncate maxW="14rem">
          {player.name}
        </Text>
      </TextLink>
    </Flex>
  )
}
