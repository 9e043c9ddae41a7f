package bout

// score gives the points of a round from what each side has caused (RS-38, RS-39).
func (s Scoring) score(caused [2]int) [2]int {
	winner, loser := First, Second
	if caused[Second] > caused[First] {
		winner, loser = Second, First
	}
	ahead := caused[winner] - caused[loser]
	var points [2]int
	switch s {
	case TenPoint:
		points[winner], points[loser] = 10, 10-mustLoss(ahead)
	case FivePoint:
		points[winner], points[loser] = 5, 5-mustLoss(ahead)
	default:
		if ahead > 0 {
			points[winner] = 1
		}
	}
	return points
}

// mustLoss is what the loser of a round falls short of the winner's points.
func mustLoss(ahead int) int {
	switch {
	case ahead <= 1:
		return 0
	case ahead <= 20:
		return 1
	case ahead <= 40:
		return 2
	case ahead <= 60:
		return 3
	}
	return 4
}

// decide ends a bout that went its distance.
func (b *Bout) decide(turn int) {
	b.Result = Result{Method: Decision, Winner: First, Round: len(b.Cards), Turn: turn}
	switch sum := b.Points(); {
	case sum[First] == sum[Second]:
		b.Result.Method, b.Result.Winner = Draw, Neither
	case sum[First] < sum[Second]:
		b.Result.Winner = Second
	}
}
