package sugarray

// Slot is the one slot of a seat (G-3): its moves.
const Slot = "moves"

// Orders are a boxer's orders for one round.
type Orders struct {
	Pairs    [BoxingRounds]Pair `json:"pairs"`
	Training Training           `json:"training,omitempty"`
}

// Training is what a boxer improves after his fight.
type Training string

// The choices of training.
const (
	NoTraining Training = ""
	TrainTech  Training = "T"
	TrainCond  Training = "K"
)
