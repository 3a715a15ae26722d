// SPDX-License-Identifier: Apache-2.0

// Written by Tools/generate-word-lists; do not change this file by hand.
// The beginning of the list male_names of zxcvbn; NOTICE has its licence.

extension WordLists {
    /// Men's names of the census of the United States. The commonest first.
    static let maleNames = """
        james john robert michael william david richard charles joseph thomas christopher daniel paul mark donald george
        kenneth steven edward brian ronald anthony kevin jason matthew gary timothy jose larry jeffrey frank scott eric
        stephen andrew raymond gregory joshua jerry dennis walter patrick peter harold douglas henry carl arthur ryan
        roger joe juan jack albert jonathan justin terry gerald keith samuel willie ralph lawrence nicholas roy benjamin
        bruce brandon adam harry fred wayne billy steve louis jeremy aaron randy eugene carlos russell bobby victor
        ernest phillip todd jesse craig alan shawn clarence sean philip chris johnny earl jimmy antonio danny bryan tony
        luis mike stanley leonard nathan dale manuel rodney curtis norman marvin vincent glenn jeffery travis jeff chad
        jacob melvin alfred kyle francis bradley jesus herbert frederick ray joel edwin don eddie ricky troy randall
        barry bernard mario leroy francisco marcus micheal theodore clifford miguel oscar jay jim tom calvin alex jon
        ronnie bill lloyd tommy leon derek darrell jerome floyd leo alvin tim wesley dean greg jorge dustin pedro
        derrick dan zachary corey herman maurice vernon roberto clyde glen hector shane ricardo sam rick lester brent
        ramon tyler gilbert gene marc reginald ruben brett nathaniel rafael edgar milton raul ben cecil duane andre
        elmer brad gabriel ron roland jared adrian karl cory claude erik darryl neil christian javier fernando clinton
        ted mathew tyrone darren lonnie lance cody julio kurt allan clayton hugh max dwayne dwight armando felix jimmie
        everett ian ken bob jaime casey alfredo alberto dave ivan johnnie sidney byron julian isaac clifton willard
        daryl virgil andy salvador kirk sergio seth kent terrance rene eduardo terrence enrique freddie stuart fredrick
        arturo alejandro joey nick luther wendell jeremiah evan julius donnie otis trevor luke homer gerard doug kenny
        hubert angelo shaun lyle matt alfonso orlando rex carlton ernesto pablo lorenzo omar wilbur blake horace
        roderick kerry abraham rickey ira andres cesar johnathan malcolm rudolph damon kelvin rudy preston alton archie
        marco pete randolph garry geoffrey jonathon felipe bennie gerardo dominic loren delbert colin guillermo earnest
        benny noel rodolfo myron edmund salvatore cedric lowell gregg sherman devin sylvester roosevelt israel jermaine
        forrest wilbert leland simon irving owen rufus woodrow sammy kristopher levi marcos gustavo jake lionel marty
        gilberto clint nicolas laurence ismael orville drew ervin dewey wilfred josh hugo ignacio caleb tomas sheldon
        erick frankie darrel rogelio terence alonzo elias bert elbert ramiro conrad noah grady phil cornelius lamar
        rolando clay percy bradford merle darin amos terrell moses irvin saul roman darnell randal tommie timmy darrin
        brendan toby van abel dominick emilio elijah cary domingo aubrey emmett marlon emanuel jerald edmond emil
        dewayne otto teddy reynaldo bret jess trent humberto emmanuel stephan louie vicente lamont garland micah efrain
        heath rodger demetrius ethan eldon rocky pierre eli bryce antoine robbie kendall royce sterling grover elton
        cleveland dylan chuck damian reuben stan leonardo russel erwin benito hans monte blaine ernie curt quentin
        agustin jamal devon adolfo tyson wilfredo bart jarrod vance denis damien joaquin harlan desmond elliot darwin
        gregorio kermit roscoe esteban anton solomon norbert elvin nolan carey rod quinton hal brain rob elwood kendrick
        darius moises marlin fidel thaddeus cliff marcel ali raphael bryon armand alvaro jeffry dane joesph thurman ned
        sammie rusty michel monty rory fabian reggie kris isaiah gus avery loyd diego adolph millard rocco gonzalo
        derick rodrigo gerry rigoberto alphonso rickie noe vern elvis bernardo mauricio hiram donovan basil nickolas
        scot vince quincy eddy sebastian federico ulysses heriberto donnell denny gavin emery romeo jayson dion dante
        clement coy odell jarvis bruno issac dudley sanford colby carmelo nestor hollis stefan donny linwood beau weldon
        galen isidro truman delmar johnathon silas frederic irwin merrill charley marcelino carlo trenton kurtis aurelio
        winfred vito collin denver leonel emory pasquale mohammad mariano danial landon dirk branden adan numbers clair
        buford bernie wilmer emerson zachery jacques errol josue edwardo wilford theron raymundo daren tristan robby
        lincoln jame genaro octavio cornell hung arron antony herschel alva giovanni garth cyrus cyril ronny stevie lon
        kennith carmine augustine erich chadwick wilburn russ myles jonas mitchel mervin zane jamel lazaro alphonse
        randell johnie jarrett ariel abdul dusty luciano seymour scottie eugenio mohammed arnulfo lucien ferdinand thad
        ezra aldo rubin mitch earle abe marquis lanny kareem jamar boris isiah emile elmo aron leopoldo everette josef
        eloy dorian rodrick reinaldo lucio jerrod weston hershel lemuel lavern burt jules gil eliseo ahmad nigel efren
        antwan alden margarito refugio dino osvaldo les deandre normand kieth ivory trey norberto napoleon jerold fritz
        rosendo milford sang deon christoper alfonzo lyman josiah brant wilton rico jamaal dewitt brenton yong olin
        faustino claudio judson gino edgardo alec jarred donn trinidad tad porfirio odis lenard chauncey tod mel marcelo
        kory augustus keven hilario bud sal orval mauro dannie zachariah olen anibal milo jed thanh amado lenny tory
        richie horacio brice mohamed delmer dario mac jonah jerrold robt hank sung rupert rolland kenton damion chi
        antone waldo fredric bradly kip burl tyree jefferey ahmed willy stanford oren moshe mikel enoch brendon quintin
        jamison florencio darrick tobias minh hassan giuseppe demarcus cletus tyrell lyndon keenan werner theo geraldo
        columbus chet bertram markus huey hilton dwain donte tyron omer isaias hipolito fermin chung adalberto jamey
        teodoro mckinley maximo raleigh lawerence abram rashad emmitt daron chong samual otha miquel eusebio dong
        domenic darron wilber renato hoyt haywood ezekiel chas florentino elroy clemente arden neville edison deshawn
        carrol shayne nathanial jordon danilo claud sherwood raymon rayford cristobal ambrose titus hyman felton
        ezequiel erasmo lonny milan lino jarod herb andreas rhett jude douglass cordell oswaldo ellsworth virgilio toney
        nathanael benedict mose hong isreal garret fausto arlen zack modesto francesco manual gaylord gaston filiberto
        deangelo michale granville malik zackary tuan nicky cristopher antione malcom korey jospeh colton waylon hosea
        shad santo rudolf rolf renaldo marcellus lucius kristofer harland arnoldo rueben leandro kraig jerrell jeromy
        hobert cedrick arlie winford wally luigi keneth jacinto graig franklyn edmundo leif jeramy willian vincenzo shon
        michal lynwood jere elden darell broderick alonso
        """
}
